// Installs the other gateways when they are not the ones of the lockfile, then measures. They are no
// workspace, so that nobody installs them with the product.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const changedAt = (file) => statSync(folder + file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

if (changedAt('package-lock.json') > changedAt('node_modules/.package-lock.json')) {
  process.stdout.write('Installing the other gateways (once) …\n');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  const { status } = spawnSync('npm', ['ci', ...flags], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    process.stderr.write('Installing the other gateways failed: see above, then try again.\n');
    process.exit(1);
  }
}
await import('./src/gateway.bench.ts');
