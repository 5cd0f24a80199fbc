import { parseArgs } from 'node:util';

export const help = `A bulk job over generated members, beside plain SQL that reads and writes the same rows.

  npm run bench -- bulk [options]
  --members <n>            members to generate (100000)
  --workers <n>            worker processes (2)
  --calls-per-second <n>   budget of model calls of all workers, 1 to 100 (100)
  --runs <n>               refreshes in succession: the first inserts states, later ones update them (1)
  --reads                  reads points and awards some at a fixed rate, before and while the job runs
  --keep <folder>          keep the database there, and use the members that it holds already
  --seed <n>               other members (1)

PostgreSQL runs with fsync off, for both sides.`;

export interface BulkBenchOptions {
  readonly members: number;
  readonly workers: number;
  readonly callsPerSecond: number;
  readonly runs: number;
  readonly hasReads: boolean;
  readonly keep: string | undefined;
  readonly seed: number;
}

/** An invalid option; the message names it. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

/** Reads the options; null if help was printed. @throws OptionError */
export function readOptions(args: readonly string[]): BulkBenchOptions | null {
  const values = parsed(args);
  if (values.help) return null;
  return {
    members: wholeNumber('--members', values.members, 1_000, 100_000_000),
    workers: wholeNumber('--workers', values.workers, 1, 64),
    callsPerSecond: wholeNumber('--calls-per-second', values['calls-per-second'], 1, 100),
    runs: wholeNumber('--runs', values.runs, 1, 100),
    hasReads: values.reads,
    keep: values.keep,
    seed: wholeNumber('--seed', values.seed, 0, 1_000_000),
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        members: { type: 'string', default: '100000' },
        workers: { type: 'string', default: '2' },
        'calls-per-second': { type: 'string', default: '100' },
        runs: { type: 'string', default: '1' },
        reads: { type: 'boolean', default: false },
        keep: { type: 'string' },
        seed: { type: 'string', default: '1' },
      },
    }).values;
  } catch (error) {
    throw new OptionError(`${(error as Error).message}; see --help.`);
  }
}

function wholeNumber(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new OptionError(`${name} must be a whole number from ${min} to ${max}; see --help.`);
}
