import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { AppError } from '@loyalty/platform/errors';
import { checkAlignment, fitAlignment } from '../../alignment/heads/align.ts';
import type { Gate } from '../../training/measures/gates.ts';
import type { AlignmentTarget } from '../../training/measures/training-request.ts';
import { readSampleTable } from '../../training/samples/sample-table.ts';
import { seededRandom } from '../numerics/seeded-random.ts';

const ISSUES_SHOWN = 10;
const TARGETS: readonly string[] = ['purchase', 'churn', 'abandonment'];

/**
 * Aligns the standard model to a file of samples as the product does and prints what held-out members say.
 *
 * @param args - the file, `--target` (purchase), `--horizon` in days (30) and `--permutations`: how often the
 *   same is tried with shuffled targets, which must never pass (0)
 * @returns 0 where every gate is passed, and none with shuffled targets, else 1
 */
export function validateAlignment(args: readonly string[]): number {
  try {
    const { file, target, horizon, permutations } = optionsOf(args);
    const request = requestOf(target, horizon, readFileSync(file, 'utf8'));
    const { issues } = checkAlignment(request.config, request.content, new Date(request.uploadedAt));
    for (const { row, column, message } of issues.slice(0, ISSUES_SHOWN))
      console.error(`Row ${row}, ${column}: ${message}.`);
    if (issues.length > 0) return 1;
    const outcome = fitAlignment(request, ({ step }) => console.log(`${step} …`));
    print(JSON.parse(outcome.reportJson) as PrintedAlignment);
    console.log(`Fingerprint ${outcome.fingerprint}`);
    console.log(outcome.passed ? 'Every gate is passed.' : 'Not every gate is passed.');
    const passes = passesOfNoise(request, permutations);
    if (permutations > 0) console.log(`Shuffled targets passed ${passes} of ${permutations} times.`);
    return outcome.passed && passes === 0 ? 0 : 1;
  } catch (error) {
    const isExpected = error instanceof AppError || (error as NodeJS.ErrnoException).code !== undefined;
    console.error(isExpected ? (error as Error).message : error);
    return 1;
  }
}

function optionsOf(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      target: { type: 'string', default: 'purchase' },
      horizon: { type: 'string', default: '30' },
      permutations: { type: 'string', default: '0' },
    },
  });
  const [file, ...more] = positionals;
  const { target } = values;
  if (file === undefined || more.length > 0 || !isTarget(target))
    throw new AppError('BAD_USER_INPUT', 'VALIDATION_FAILED', 'Name one CSV file and a target.');
  return { file, target, horizon: Number(values.horizon), permutations: Number(values.permutations) };
}

const isTarget = (text: string): text is AlignmentTarget => TARGETS.includes(text);

const requestOf = (subject: AlignmentTarget, horizon: number, content: string) => ({
  subject,
  config: { origin: 'live' as const, horizon, ruleVersion: null, definition: null },
  content,
  uploadedAt: new Date().toISOString(),
  base: null,
});

/** How often shuffled targets pass every gate. */
function passesOfNoise(request: ReturnType<typeof requestOf>, permutations: number): number {
  let passes = 0;
  for (let seed = 1; seed <= permutations; seed += 1) {
    const content = withShuffledTargets(request.content, seed);
    if (fitAlignment({ ...request, content }, () => undefined).passed) passes += 1;
  }
  return passes;
}

/** The same CSV with its targets in another order (Fisher and Yates). */
export function withShuffledTargets(content: string, seed: number): string {
  const { header, rows } = readSampleTable(content);
  const column = header.indexOf('target');
  const targets = rows.map(({ cells }) => cells[column]!);
  const random = seededRandom(seed);
  for (let last = targets.length - 1; last > 0; last -= 1) {
    const place = Math.floor(random() * (last + 1));
    [targets[last], targets[place]] = [targets[place]!, targets[last]!];
  }
  const lines = rows.map(({ cells }, row) => csvLine(cells.with(column, targets[row]!)));
  return [csvLine(header), ...lines, ''].join('\n');
}

const csvLine = (cells: readonly string[]): string =>
  cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');

interface PrintedAlignment {
  readonly learner: { readonly head: string; readonly lambda: string };
  readonly evaluation: {
    readonly metrics: Readonly<Record<string, Readonly<Record<'value' | 'low' | 'high', string | null>>>>;
    readonly baseline: Readonly<Record<string, string | null>>;
    readonly gates: readonly Gate[];
  };
}

function print({ learner, evaluation }: PrintedAlignment): void {
  console.log(`Head ${learner.head}, lambda ${learner.lambda}`);
  for (const [name, { value, low, high }] of Object.entries(evaluation.metrics))
    console.log(
      `  ${name.padEnd(30)} ${shown(value)}${low === null ? '' : `  ${shown(low)} to ${shown(high)}`}`,
    );
  for (const [name, value] of Object.entries(evaluation.baseline))
    console.log(`  ${`baseline ${name}`.padEnd(30)} ${shown(value)}`);
  for (const { name, passed, value, rule, threshold } of evaluation.gates)
    console.log(
      `  ${passed ? 'passed' : 'FAILED'}  ${name.padEnd(28)} ${shown(value)}, ${rule} ${Number(threshold)}`,
    );
}

const shown = (value: string | number | null): string =>
  value === null ? 'not defined' : String(Math.round(Number(value) * 1e4) / 1e4);
