import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { compareVersions } from './compare-versions.ts';
import { evaluationPage } from './evaluation-page.ts';
import { evaluationTable } from './evaluation-table.ts';
import { generatedProcesses } from './generated-processes.ts';
import { figuresOf } from './method-figures.ts';
import { exampleOrders, readHistories } from './order-history.ts';
import { PurchaseFileError } from './purchase-file.ts';
import { type EvaluationOptions, judgeWindows } from './rolling-windows.ts';
import { versionTable } from './version-table.ts';

const help = `Judges the standard model, its aligned head and baselines on orders of your own, at past dates.

  npm run model -- evaluate <orders.csv> [events.csv] [options]
    orders.csv   customer, date and, if there is one, amount; usual names of columns are found
                 by themselves, other ones with --id, --date and --amount
    events.csv   customer, time and type (view, cart_add, cart_remove, purchase)
  --target purchase|churn   what is predicted (purchase)
  --horizon <days>          within so many days (30)
  --cutoffs <count>         windows that are judged at most, one horizon apart (6)
  --html <file>             writes a page with tables and charts
  --json <file>             writes the figures
  --example <file>          writes orders of a known process to try it with, and ends
  --versions                compares the versions of the standard model, on generated processes or on
                            the files that are named; prints a table

  npm run model -- evaluate --example /tmp/orders.csv
  npm run model -- evaluate /tmp/orders.csv --html /tmp/evaluation.html
  npm run model -- evaluate --versions`;

const HORIZON_MAX = 365;
const CUTOFFS_MAX = 24;

/** An unusable option or argument; the message says what to do. */
class UsageError extends Error {}

process.exitCode = main(process.argv.slice(2));

function main(args: readonly string[]): number {
  try {
    const { values, positionals } = parsed(args);
    if (values.help) return print(help);
    if (values.example !== undefined) {
      writeFileSync(values.example, exampleOrders());
      return print(`${values.example} is written.`);
    }
    if (values.versions) return compareAll(positionals, values);
    const [orders, events, ...more] = positionals;
    if (orders === undefined || more.length > 0)
      throw new UsageError('Name a file of orders and, if you have one, a file of events.');
    return evaluate(orders, events ?? null, values);
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`${error.message} See npm run model -- evaluate --help.`);
      return 2;
    }
    console.error(isExpected(error) ? error.message : error);
    return 1;
  }
}

function isExpected(error: unknown): error is Error {
  return error instanceof PurchaseFileError || (error as NodeJS.ErrnoException).code !== undefined;
}

function print(text: string): number {
  console.log(text);
  return 0;
}

type Values = ReturnType<typeof parsed>['values'];

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        target: { type: 'string', default: 'purchase' },
        horizon: { type: 'string', default: '30' },
        cutoffs: { type: 'string', default: '6' },
        id: { type: 'string' },
        date: { type: 'string' },
        amount: { type: 'string' },
        html: { type: 'string' },
        json: { type: 'string' },
        example: { type: 'string' },
        versions: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}.`);
  }
}

function evaluate(orders: string, events: string | null, values: Values): number {
  const options = optionsOf(values);
  const histories = readHistories(orders, events, values);
  console.error(`${histories.length} customers`);
  const windows = judgeWindows(histories, options, (window, cutoff) =>
    console.error(`window ${window} of at most ${options.cutoffs}: what is known on ${cutoff}`),
  );
  if (windows.length === 0)
    throw new PurchaseFileError(
      `${orders} has too little history: it takes two horizons of ${options.horizon} days, 28 days before ` +
        'them, and 100 customers with and without a purchase. Try a shorter --horizon.',
    );
  console.error('Measuring …');
  const all = figuresOf(windows.length === 1 ? 'one window' : `${windows.length} windows`, windows);
  const each = windows.map((window) => figuresOf(window.cutoff, [window]));
  console.log(`${options.target} within ${options.horizon} days; ± are bounds of 95%`);
  for (const evaluated of [...each, all]) console.log(evaluationTable(evaluated).join('\n'));
  if (values.json) writeFileSync(values.json, JSON.stringify({ options, all, each }, null, 2));
  if (values.html) writeFileSync(values.html, evaluationPage({ options, windows, all, each }));
  for (const file of [values.html, values.json]) if (file) console.log(`${file} is written.`);
  return 0;
}

/** Compares files of orders or, without any, every generated process. */
function compareAll(files: readonly string[], values: Values): number {
  const sets =
    files.length > 0
      ? files.map((file) => ({ name: basename(file), histories: readHistories(file, null, values) }))
      : generatedProcesses();
  const comparisons = sets.map(({ name, histories }) => {
    console.error(`${name}: ${histories.length} members`);
    return compareVersions(name, histories);
  });
  return print(versionTable(comparisons).join('\n'));
}

function optionsOf({ target, horizon, cutoffs }: Values): EvaluationOptions {
  if (target !== 'purchase' && target !== 'churn')
    throw new UsageError('--target must be purchase or churn.');
  return {
    target,
    horizon: whole('--horizon', horizon, HORIZON_MAX),
    cutoffs: whole('--cutoffs', cutoffs, CUTOFFS_MAX),
  };
}

function whole(option: string, text: string, most: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > most)
    throw new UsageError(`${option} must be a whole number from 1 to ${most}.`);
  return value;
}
