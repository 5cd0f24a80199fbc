// The entry point of `npm start` and `npm test`, for any Node from version 20 on a clean checkout. It
// installs missing packages, generates changed code and starts the Node version of the project.
import './node-version.mjs';
import { run } from './commands.mjs';
import { install } from './install.mjs';
import { startStep } from './steps.mjs';

const [task, ...args] = process.argv.slice(2);

const jest = [
  'node',
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
];
const check = ['node', 'scripts/check.mjs'];

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

async function generate(packages) {
  const only = packages.map((name) => `--filter=${name}`);
  const steps = ['generate', '@loyalty/back-office#build'];
  const turbo = ['turbo', 'run', ...steps, '--output-logs=errors-only', '--log-prefix=none', ...only];
  const step = startStep('Generating code', { isQuick: true });
  const { code, output } = await run(turbo, { isHidden: true });
  if (code === 0) return step.succeed();
  step.fail();
  console.error(`${output}Generating code failed: see above.`);
  process.exit(code);
}

/** Runs a command and shows its output after it has ended. */
async function runBeside(command) {
  const { code, output } = await run(command, { isHidden: true });
  process.stderr.write(output);
  return code;
}

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

const beside = chosen.beside ? runBeside(chosen.beside) : 0;
let worst = 0;
for (const [index, command] of commands.entries()) {
  const isLast = index === commands.length - 1;
  const { code } = await run(isLast ? [...command, ...args] : command);
  worst = code || worst;
}
process.exit((await beside) || worst);
