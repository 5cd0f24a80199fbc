// Programs that some tests need and that are not npm packages.
import { spawnSync } from 'node:child_process';

/** Returns whether the program can be started. */
export const has = (program) => !spawnSync(program, ['--version'], { stdio: 'ignore' }).error;

/**
 * Returns whether the program exists or could be installed. As root on Debian, its packages are installed.
 *
 * @returns true if the program can be started
 */
export function install(program, debianPackages) {
  if (has(program)) return true;
  if (process.getuid?.() !== 0 || !has('apt-get')) return false;
  console.log(`Installing ${debianPackages.join(', ')} …`);
  const options = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  // Waits for other processes that are installing packages.
  const wait = ['-o', 'DPkg::Lock::Timeout=600', '-o', 'APT::Get::Lock::Timeout=600'];
  spawnSync('apt-get', [...wait, 'update', '-qq'], options);
  const packages = ['install', '-y', '-qq', '--no-install-recommends', ...debianPackages];
  spawnSync('apt-get', [...wait, ...packages], options);
  return has(program);
}

/**
 * Makes sure that a program exists; installs it where possible.
 *
 * @param advice - text for the user if the program is missing; then the process ends
 */
export function provide(program, debianPackages, advice) {
  if (install(program, debianPackages)) return;
  console.error(advice);
  process.exit(1);
}
