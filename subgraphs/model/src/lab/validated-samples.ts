import { readFileSync } from 'node:fs';
import { AppError } from '@loyalty/platform/base/errors';
import type { Gate } from '../estimators/gates.ts';
import type { SampleIssue, TrainingOutcome, TrainingProgress } from '../estimators/training-request.ts';

/** A file of samples with its check and its training. */
export interface ValidatedSamples {
  readonly file: string;
  readonly issuesOf: (content: string) => readonly SampleIssue[];
  readonly train: (content: string, onProgress: (progress: TrainingProgress) => void) => TrainingOutcome;
}

const ISSUES_SHOWN = 10;

/**
 * Trains on a file of samples like the product does and prints the held-out figures.
 *
 * @param read - reads the options; its errors are printed
 * @param andThen - a further check of usable samples; returns true if it succeeds
 * @returns 0 if every gate is passed, else 1
 */
export function validateSamples(
  read: () => ValidatedSamples,
  andThen: (content: string) => boolean = () => true,
): number {
  try {
    const { file, issuesOf, train } = read();
    const content = readFileSync(file, 'utf8');
    const issues = issuesOf(content);
    for (const { row, column, message } of issues.slice(0, ISSUES_SHOWN))
      console.error(`Row ${row}, ${column}: ${message}.`);
    if (issues.length > 0) return 1;
    const outcome = train(content, ({ step }) => console.log(`${step} …`));
    print(JSON.parse(outcome.reportJson) as PrintedReport);
    console.log(`Fingerprint ${outcome.fingerprint}`);
    console.log(outcome.passed ? 'Every gate is passed.' : 'Not every gate is passed.');
    return andThen(content) && outcome.passed ? 0 : 1;
  } catch (error) {
    const isExpected = error instanceof AppError || (error as NodeJS.ErrnoException).code !== undefined;
    console.error(isExpected ? (error as Error).message : error);
    return 1;
  }
}

/** The printed parts of a report; its numbers are strings. */
interface PrintedReport {
  readonly samples: { readonly rows: string; readonly held_out?: { readonly rows: string } };
  readonly learner: {
    readonly name: string;
    readonly head?: string;
    readonly lambda: string | null;
    readonly trees: string | null;
  };
  readonly evaluation: {
    readonly metrics: Readonly<Record<string, Readonly<Record<'value' | 'low' | 'high', string | null>>>>;
    readonly baseline: Readonly<Record<string, string | null>>;
    readonly gates: readonly Gate[];
  };
}

function print({ samples, learner, evaluation }: PrintedReport): void {
  const heldOut = samples.held_out ? `, of which ${samples.held_out.rows} are held out` : '';
  console.log(`${samples.rows} samples${heldOut}`);
  const setting = learner.trees === null ? `lambda ${learner.lambda}` : `${learner.trees} trees`;
  console.log(`Learner ${learner.name}${learner.head ? `, head ${learner.head}` : ''}, ${setting}`);
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
