import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { chooseTreeCount, fitBoostedTrees } from '@loyalty/model-subgraph/estimators/boosted-trees';
import { innerFolds } from '@loyalty/model-subgraph/estimators/inner-folds';
import { chooseLambda } from '@loyalty/model-subgraph/estimators/logistic-choice';
import { fitLogistic } from '@loyalty/model-subgraph/numerics/logistic';
import { seededRandom } from '@loyalty/model-subgraph/numerics/seeded-random';
import { predictable, requestOf } from '@loyalty/model-subgraph/pipelines/samples.fixture';
import { inferFeatures, trainVersion } from '@loyalty/model-subgraph/pipelines/trainer';
import { latencyWhileTraining } from './measure-training-latency.ts';

const help = `Measures training on one core: learners on 10,000 rows of 20 features, whole trainings in their
thread, inference, and how long point reads over REST take in a process that trains meanwhile.

  npm run bench -- training`;

const ROWS = 10_000;
const WIDTH = 20;
const INFERENCES = 50_000;
const SEED = 11;

const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
if (values.help) console.log(help);
else {
  learners();
  await wholeTrainings();
  await readsMeanwhile();
}

/** Rows whose label depends on half of the features, on some of them non-linearly. */
function madeRows() {
  const random = seededRandom(SEED);
  const cells = Float64Array.from({ length: ROWS * WIDTH }, () => 2 * random() - 1);
  const labels = Uint8Array.from({ length: ROWS }, (_, row) => {
    let logit = -1.5;
    for (let column = 0; column < WIDTH / 2; column += 1) {
      const value = cells[row * WIDTH + column]!;
      logit += column % 2 === 0 ? value : 2 * value * value;
    }
    return random() < 1 / (1 + Math.exp(-logit)) ? 1 : 0;
  });
  const entities = Array.from(labels, (_, row) => `member-${row >> 1}`);
  return { rows: { count: ROWS, width: WIDTH, values: cells }, labels, entities };
}

function learners(): void {
  const { rows, labels, entities } = madeRows();
  const folds = innerFolds(entities, 5, SEED);
  console.log(`${ROWS} rows of ${WIDTH} features`);
  timed('logistic regression with the choice of its penalty', 1_000, () => {
    const { setting } = chooseLambda({ rows, labels, entities }, folds);
    fitLogistic(rows, labels, setting);
  });
  timed('boosted trees with the choice of their number', 4_000, () => {
    const { setting } = chooseTreeCount(rows, labels, folds);
    fitBoostedTrees(rows, labels, setting);
  });
}

/** Prints the processor time of the thread, so that other work of the machine does not count. */
function timed(name: string, barMs: number, work: () => void): void {
  const start = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(start);
  print(name, (user + system) / 1_000, 'ms', barMs);
}

async function wholeTrainings(): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  for (const task of ['return', 'item', 'basket'] as const) {
    const request = requestOf(task, predictable(task, { entities: 2_500, dates: 4 }));
    delay.reset();
    delay.enable();
    const start = performance.now();
    const options = { signal: new AbortController().signal, onProgress: () => undefined };
    const { artifact, passed } = await trainVersion(request, options);
    delay.disable();
    print(`training of ${task}, 10,000 samples of 4 features`, performance.now() - start, 'ms', null);
    print('  this process waits, 99 of 100 times at most', delay.percentile(99) / 1e6, 'ms', null);
    if (!passed) throw new Error('The gates were not passed.');
    const features = { f_a: 0.5, f_b: -0.2, f_c: 0.1, f_noise: 0 };
    const from = performance.now();
    for (let row = 0; row < INFERENCES; row += 1) inferFeatures(artifact, features);
    print('  inference of a row', ((performance.now() - from) / INFERENCES) * 1_000, 'µs', 50);
  }
}

/** Reads may take at most twice as long while the process trains. */
async function readsMeanwhile(): Promise<void> {
  const { quiet, training } = await latencyWhileTraining();
  print('point read over REST, 99 of 100 at most', quiet, 'ms', null);
  print('  while a version is trained in the process', training, 'ms', 2 * quiet);
}

function print(name: string, value: number, unit: string, bar: number | null): void {
  const verdict = bar === null ? '' : `   bar ${bar} ${unit}: ${value <= bar ? 'met' : 'MISSED'}`;
  console.log(`${name.padEnd(52)} ${value.toFixed(1).padStart(8)} ${unit}${verdict}`);
}
