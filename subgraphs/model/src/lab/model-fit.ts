import { writeFileSync } from 'node:fs';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { type Calibrated, calibrate, lastDayOf, weighted } from './calibration.ts';
import { type Fit, fitModel, models } from './fit.ts';
import { type FitOptions, fitHelp, fitOptions } from './fit-options.ts';
import { PurchaseFileError, readPurchases } from './purchase-file.ts';
import type { WeightedPattern } from './purchase-model.ts';

/** `npm run model -- fit`: prints the maximum-likelihood parameters for purchases in files. */
process.exitCode = main(process.argv.slice(2));

function main(args: readonly string[]): number {
  try {
    const options = fitOptions(args);
    if (options.isHelp) {
      console.log(fitHelp);
      return 0;
    }
    const sets = options.files.map((file, index) => readSet(file, index, options));
    const patterns = options.isEqual ? equallyWeighted(sets) : weighted(sets.flat());
    const fits = models.map((model) => {
      console.log(`Fitting ${model.name} to ${sets.flat().length} customers …`);
      const found = fitModel(model, patterns);
      console.log(`  ${described(found)}`);
      return found;
    });
    if (options.out) writeParameters(options.out, fits, sets.flat().length, options);
    return fits.every(({ hasConverged }) => hasConverged) ? 0 : 1;
  } catch (error) {
    console.error(error instanceof PurchaseFileError ? error.message : error);
    return 1;
  }
}

function readSet(file: string, index: number, { columns, ends, unit }: FitOptions): Calibrated[] {
  const purchases = readPurchases(file, columns);
  const end = ends[index] ?? ends[0] ?? lastDayOf(purchases);
  const until = new Date(end * DAY_MS).toISOString().slice(0, 10);
  const customers = calibrate(purchases, { end, unit });
  if (customers.length === 0)
    throw new PurchaseFileError(`${file} has no purchase by ${until}: give a later --calibration-end.`);
  console.log(`${file}: ${customers.length} customers until ${until}`);
  return customers;
}

/**
 * Gives each set the same weight. Weights add up to the number of customers, so that likelihoods are
 * comparable with other fits.
 */
function equallyWeighted(sets: readonly Calibrated[][]): WeightedPattern[] {
  const share = sets.flat().length / sets.length;
  return sets.flatMap((set) => weighted(set, share / set.length));
}

function described({ model, parameters, logLikelihood, hasConverged }: Fit): string {
  const named = model.parameterNames.map((name, index) => `${name} ${parameters[index]!.toPrecision(6)}`);
  const warning = hasConverged
    ? ''
    : '; has not converged: these data do not determine all of its parameters';
  return `${named.join(', ')}; log-likelihood ${logLikelihood.toFixed(4)}${warning}`;
}

function writeParameters(
  path: string,
  fits: readonly Fit[],
  customers: number,
  { unit, isEqual }: FitOptions,
): void {
  const entries = fits.map(({ model, parameters, logLikelihood, hasConverged }) => {
    const named = model.parameterNames.map((name, index) => [name, parameters[index]]);
    return [model.name, { ...Object.fromEntries(named), logLikelihood, hasConverged }];
  });
  const content = { unit, customers, isEqualWeight: isEqual, models: Object.fromEntries(entries) };
  try {
    writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new PurchaseFileError(
      `${path} cannot be written (${code}): name a file in a folder that is there.`,
    );
  }
  console.log(`Wrote ${path}.`);
}
