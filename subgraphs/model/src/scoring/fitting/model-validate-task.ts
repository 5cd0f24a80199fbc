import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { AppError } from '@loyalty/platform/errors';
import { trainSamples } from '../../training/learning/train-samples.ts';
import type { Gate } from '../../training/measures/gates.ts';
import type { TrainingTask } from '../../training/measures/training-request.ts';
import { readSamples } from '../../training/samples/samples.ts';

const ISSUES_SHOWN = 10;

/**
 * Trains on a file of samples as the product does and prints what the held-out side says.
 *
 * @returns 0 where every gate is passed, else 1
 */
export function validateTask(task: TrainingTask, args: readonly string[]): number {
  try {
    const { file, horizon } = optionsOf(args);
    const config = { origin: 'live', horizon, ruleVersion: 'file', definition: null } as const;
    const content = readFileSync(file, 'utf8');
    const now = new Date();
    const { issues } = readSamples(task, config, content, now);
    for (const { row, column, message } of issues.slice(0, ISSUES_SHOWN))
      console.error(`Row ${row}, ${column}: ${message}.`);
    if (issues.length > 0) return 1;
    const request = { subject: task, config, content, uploadedAt: now.toISOString(), base: null };
    const outcome = trainSamples(request, ({ step }) => console.log(`${step} …`));
    print(JSON.parse(outcome.reportJson) as PrintedReport);
    console.log(`Fingerprint ${outcome.fingerprint}`);
    console.log(outcome.passed ? 'Every gate is passed.' : 'Not every gate is passed.');
    return outcome.passed ? 0 : 1;
  } catch (error) {
    const isExpected = error instanceof AppError || (error as NodeJS.ErrnoException).code !== undefined;
    console.error(isExpected ? (error as Error).message : error);
    return 1;
  }
}

function optionsOf(args: readonly string[]): { file: string; horizon: number } {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { horizon: { type: 'string', default: '30' } },
  });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new AppError('BAD_USER_INPUT', 'VALIDATION_FAILED', 'Name one CSV file of samples.');
  return { file, horizon: Number(values.horizon) };
}

interface PrintedReport {
  readonly samples: {
    readonly train: { rows: string };
    readonly held_out: { rows: string; entities: string };
  };
  readonly learner: { readonly name: string; readonly lambda: string | null; readonly trees: string | null };
  readonly evaluation: {
    readonly metrics: Readonly<Record<string, Readonly<Record<'value' | 'low' | 'high', string | null>>>>;
    readonly baseline: Readonly<Record<string, string | null>>;
    readonly gates: readonly Gate[];
  };
}

function print({ samples, learner, evaluation }: PrintedReport): void {
  const { train, held_out: heldOut } = samples;
  console.log(
    `Fitted to ${train.rows} samples; held out are ${heldOut.rows} of ${heldOut.entities} entities.`,
  );
  const setting = learner.trees === null ? `lambda ${learner.lambda}` : `${learner.trees} trees`;
  console.log(`Learner ${learner.name}, ${setting}`);
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
