// Runs the tests that need a browser, `*.browser.test.ts`, in the Chromium that CHROMIUM_PATH names or that
// is installed. The arguments are the command that runs Jest, and further arguments for Jest.
import { spawnSync } from 'node:child_process';
import { has, install, provide } from './programs.mjs';
import { runTests } from './run-tests.mjs';

const browsers = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
/** Chromium without windows and notifications: all tests but those of push take half of the time in it. */
const shell = 'chromium-headless-shell';

/** The program to start; installed where it is not there and can be. */
function provideBrowser() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const found = browsers.find(has);
  if (found) return found;
  provide(
    'chromium',
    ['chromium'],
    'The browser tests need Chromium: put it on the PATH, or set CHROMIUM_PATH to the program.',
  );
  return 'chromium';
}

/** Playwright starts a program by its whole path. */
function pathOf(program) {
  if (program.includes('/')) return program;
  return spawnSync('which', [program], { encoding: 'utf8' }).stdout.trim() || program;
}

const browser = pathOf(provideBrowser());
runTests('browser', process.argv.slice(2), {
  CHROMIUM_PATH: browser,
  CHROMIUM_SHELL_PATH: process.env.CHROMIUM_SHELL_PATH ?? (install(shell, [shell]) ? pathOf(shell) : browser),
});
