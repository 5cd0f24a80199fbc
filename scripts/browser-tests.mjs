// Runs the tests that need a browser, `*.browser.test.ts`, in the Chromium of CHROMIUM_PATH or in an
// installed one. The arguments are the command that runs Jest, and further arguments for Jest.
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
/**
 * Chromium without windows and notifications. All tests except those of push notifications take half of the
 * time in it.
 */
const shell = 'chromium-headless-shell';

/** Returns the program to start; installs it if it is missing, where possible. */
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

/** Returns the whole path of a program, which Playwright needs. */
function pathOf(program) {
  if (program.includes('/')) return program;
  return spawnSync('which', [program], { encoding: 'utf8' }).stdout.trim() || program;
}

const browser = pathOf(provideBrowser());
runTests('browser', process.argv.slice(2), {
  CHROMIUM_PATH: browser,
  CHROMIUM_SHELL_PATH: process.env.CHROMIUM_SHELL_PATH ?? (install(shell, [shell]) ? pathOf(shell) : browser),
});
