// Programs that some tests need, which no npm package brings.
import { spawnSync } from 'node:child_process';

/** Can the program be started? */
export const has = (program) => !spawnSync(program, ['--version'], { stdio: 'ignore' }).error;

/**
 * Is the program there, or could it be installed? As root on Debian, its packages are.
 *
 * @returns true when it can be started
 */
export function install(program, debianPackages) {
  if (has(program)) return true;
  if (process.getuid?.() !== 0 || !has('apt-get')) return false;
  console.log(`Installing ${debianPackages.join(', ')} …`);
  const options = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  // Somebody else who installs is waited for.
  const wait = ['-o', 'DPkg::Lock::Timeout=600', '-o', 'APT::Get::Lock::Timeout=600'];
  spawnSync('apt-get', [...wait, 'update', '-qq'], options);
  const packages = ['install', '-y', '-qq', '--no-install-recommends', ...debianPackages];
  spawnSync('apt-get', [...wait, ...packages], options);
  return has(program);
}

/**
 * Sees to it that a program is there; installs it where that is possible.
 *
 * @param advice - what to do where it is not; then the process ends
 */
export function provide(program, debianPackages, advice) {
  if (install(program, debianPackages)) return;
  console.error(advice);
  process.exit(1);
}
