// Runs the tests that need a browser, `*.browser.test.ts`, in the Chromium that CHROMIUM_PATH names or that
// is installed. The arguments are the command that runs Jest, and further arguments for Jest.
import { spawnSync } from 'node:child_process';
import { has, install } from './programs.mjs';
import { runTests } from './run-tests.mjs';

/** Chromium without windows, which needs a third less of the processor than a whole browser does. */
const shell = 'chromium-headless-shell';
const browsers = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The program to start; installed where it is not there and can be. */
function provideBrowser() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  if (install(shell, [shell])) return shell;
  const found = browsers.find(has);
  if (found) return found;
  console.error('The browser tests need Chromium: put it on the PATH, or set CHROMIUM_PATH to the program.');
  process.exit(1);
}

/** Playwright starts a program by its whole path. */
function pathOf(program) {
  if (program.includes('/')) return program;
  return spawnSync('which', [program], { encoding: 'utf8' }).stdout.trim() || program;
}

runTests('browser', process.argv.slice(2), { CHROMIUM_PATH: pathOf(provideBrowser()) });
