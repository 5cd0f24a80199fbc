// Programs that some tests need, which no npm package brings.
import { spawnSync } from 'node:child_process';

/** Can the program be started? */
export const has = (program) => !spawnSync(program, ['--version'], { stdio: 'ignore' }).error;

/**
 * Sees to it that a program is there: where it is not, Debian's packages are installed, as root only.
 *
 * @param advice - what to do where that is not possible; then the process ends
 */
export function provide(program, debianPackages, advice) {
  if (has(program)) return;
  if (process.getuid?.() === 0 && has('apt-get')) {
    console.log(`Installing ${debianPackages.join(', ')} …`);
    const options = {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    };
    // Somebody else who installs is waited for.
    const wait = ['-o', 'DPkg::Lock::Timeout=600', '-o', 'APT::Get::Lock::Timeout=600'];
    spawnSync('apt-get', [...wait, 'update', '-qq'], options);
    const install = ['install', '-y', '-qq', '--no-install-recommends', ...debianPackages];
    spawnSync('apt-get', [...wait, ...install], options);
    if (has(program)) return;
  }
  console.error(advice);
  process.exit(1);
}
