// Runs the tests that need a browser, `*.browser.test.ts`, in the Chromium that CHROMIUM_PATH names or that
// is installed. The arguments are the command that runs Jest, and further arguments for Jest.
import { spawn, spawnSync } from 'node:child_process';

const [command, ...args] = process.argv.slice(2);
const names = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const runs = (program, flag = '--version') => !spawnSync(program, [flag], { stdio: 'ignore' }).error;
const installed = () => names.find((name) => runs(name));

/** The program to start; installed where it is not there and can be. */
function provideBrowser() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const found = installed();
  if (found) return found;
  if (process.getuid?.() === 0 && runs('apt-get')) {
    console.log('Installing chromium …');
    const options = {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    };
    spawnSync('apt-get', ['update', '-qq'], options);
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], options);
    const now = installed();
    if (now) return now;
  }
  console.error('The browser tests need Chromium: put it on the PATH, or set CHROMIUM_PATH to the program.');
  process.exit(1);
}

/** Playwright starts a program by its whole path. */
function pathOf(program) {
  if (program.includes('/')) return program;
  return spawnSync('which', [program], { encoding: 'utf8' }).stdout.trim() || program;
}

const select = ['--testMatch=**/*.browser.test.ts', '--testPathIgnorePatterns=/node_modules/', '--runInBand'];
const env = { ...process.env, CHROMIUM_PATH: pathOf(provideBrowser()) };
const tests = spawn(command, [...args, ...select], { stdio: 'inherit', env });
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => tests.kill(signal));
tests.on('close', (code) => process.exit(code ?? 1));
