import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Calibrated, calibrate, weighted } from './calibration.ts';
import { fitModel, models } from './fit.ts';
import { goldenAgreement } from './golden-agreement.ts';
import { validateAlignment, validateTask } from './model-validate-samples.ts';
import { type Comparison, exampleFigures, fitFigures, isOff, sampleFigures } from './published-figures.ts';
import { PurchaseFileError, readDay, readPurchases } from './purchase-file.ts';

const help = `Fits the models to the CDNOW sample and compares the result with what was published about it.

  npm run model -- validate <file.csv>  with the columns master_id, sample_id, date, cds, dollars
  --golden <file.csv>                   figures per customer to compare formulas with
                                        (golden_cdnow.csv beside the sample, where it is there)

Ends with 1 where a figure is off by more than 1 in its last printed digit, or a formula by more than 1e-9.

  npm run model -- validate <task> <samples.csv>  trains for return, item, basket or tier, prints gates
  npm run model -- validate alignment <samples.csv> [--target purchase|churn|abandonment] [--horizon <days>]
    [--permutations <count>]            aligns to the samples; shuffled targets must not pass`;

const CALIBRATION_END = '1997-09-30';
const HOLDOUT_END = '1998-06-30';
const APART_MAX = 1e-9;

/** Subjects other than the standard model; each function returns an exit code. */
const others: Readonly<Record<string, (args: readonly string[]) => number | Promise<number>>> = {
  return: (args) => validateTask('return', args),
  item: (args) => validateTask('item', args),
  basket: (args) => validateTask('basket', args),
  tier: (args) => validateTask('tier', args),
  alignment: validateAlignment,
};

const [first = '', ...rest] = process.argv.slice(2);
process.exitCode = await (Object.hasOwn(others, first) ? others[first]!(rest) : main(process.argv.slice(2)));

function main(args: readonly string[]): number {
  try {
    const { file, golden } = readOptions(args);
    if (file === null) {
      console.log(help);
      return 0;
    }
    const faults = faultsIn(readSample(file)) + (golden ? faultsInFormulas(golden) : 0);
    if (!golden) console.log('No file of figures per customer was given: formulas were not compared.');
    console.log(faults === 0 ? 'Everything agrees.' : `${faults} figures are off.`);
    return faults === 0 ? 0 : 1;
  } catch (error) {
    console.error(error instanceof PurchaseFileError ? error.message : error);
    return 1;
  }
}

function readOptions(args: readonly string[]): { file: string | null; golden: string | null } {
  const { values, positionals } = parsed(args);
  if (values.help) return { file: null, golden: null };
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new PurchaseFileError('Name the CDNOW sample, one CSV file; see npm run model -- validate --help.');
  const beside = join(dirname(file), 'golden_cdnow.csv');
  return { file, golden: values.golden ?? (existsSync(beside) ? beside : null) };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h', default: false }, golden: { type: 'string' } },
    });
  } catch (error) {
    throw new PurchaseFileError(`${(error as Error).message}; see npm run model -- validate --help.`);
  }
}

function readSample(file: string): Calibrated[] {
  const purchases = readPurchases(file, { id: ['sample_id'], date: ['date'] });
  const end = readDay(CALIBRATION_END)!;
  return calibrate(purchases, { end, holdoutEnd: readDay(HOLDOUT_END)!, unit: 'weeks' });
}

/** Prints published figures beside ours; returns the number of differences. */
function faultsIn(customers: readonly Calibrated[]): number {
  const header = [...sampleFigures(customers), ...exampleFigures()];
  let faults = printed(header);
  const patterns = weighted(customers);
  for (const model of models) {
    console.log(`Fitting ${model.name} to ${customers.length} customers, ${patterns.length} patterns …`);
    faults += printed(fitFigures(fitModel(model, patterns), customers));
  }
  return faults;
}

function printed(comparisons: readonly Comparison[]): number {
  for (const comparison of comparisons) {
    const { name, published, ours } = comparison;
    const figure = Number.isInteger(ours) ? String(ours) : ours.toFixed(5);
    const verdict = isOff(comparison) ? 'OFF' : 'ok';
    console.log(
      `  ${name.padEnd(34)} published ${published.padStart(8)}   ours ${figure.padStart(12)}   ${verdict}`,
    );
  }
  return comparisons.filter(isOff).length;
}

function faultsInFormulas(golden: string): number {
  console.log(`Comparing std-1 and BG/NBD with ${golden} …`);
  const agreements = goldenAgreement(golden);
  const isApart = ({ relative }: { relative: number }) => !(relative <= APART_MAX);
  for (const { column, absolute, relative } of agreements)
    console.log(
      `  ${column.padEnd(34)} apart by ${absolute.toExponential(1)}, ` +
        `relative ${relative.toExponential(1)}   ${isApart({ relative }) ? 'OFF' : 'ok'}`,
    );
  return agreements.filter(isApart).length;
}
