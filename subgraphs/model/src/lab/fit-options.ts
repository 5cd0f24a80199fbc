import { parseArgs } from 'node:util';
import { type TimeUnit, unitDays } from './calibration.ts';
import { type Columns, PurchaseFileError, readDay, usualColumns } from './purchase-file.ts';

export const fitHelp = `Fits BG/NBD, MBG/NBD and Pareto/NBD to purchases by maximum likelihood.

  npm run model -- fit <file.csv> …  a customer and a date in each row; several purchases on one day are one
  --id <column>, --date <column>     their columns, where they are not found by themselves;
                                     given more than once, a file's first
  --calibration-end <YYYY-MM-DD>     later purchases are left out; once for all files, or once for each
                                     (each file's last day)
  --unit days|weeks                  unit of time (days)
  --equal-weight                     each file counts the same, however many customers it has
  --out <file.json>                  write the parameters there

Ends with 1 where a model has no most likely parameters.`;

export interface FitOptions {
  readonly isHelp: boolean;
  readonly files: readonly string[];
  readonly columns: Columns;
  /** None, one for all files, or one for each file; in days since 1970-01-01. */
  readonly ends: readonly number[];
  readonly unit: TimeUnit;
  readonly isEqual: boolean;
  readonly out: string | undefined;
}

/**
 * Parses the options of `npm run model -- fit`.
 *
 * @throws PurchaseFileError whose message names the option
 */
export function fitOptions(args: readonly string[]): FitOptions {
  const { values, positionals: files } = parsed(args);
  const { unit, id, date, out } = values;
  if (!isUnit(unit)) throw new PurchaseFileError('--unit must be days or weeks.');
  const ends = values['calibration-end'].map(readEnd);
  if (ends.length > 1 && ends.length !== files.length)
    throw new PurchaseFileError('Give --calibration-end once, or as often as there are files.');
  const isHelp = values.help;
  if (!isHelp && files.length === 0)
    throw new PurchaseFileError('Name a CSV file of purchases; see npm run model -- fit --help.');
  return { isHelp, files, columns: { id, date }, ends, unit, isEqual: values['equal-weight'], out };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        id: { type: 'string', multiple: true, default: [...usualColumns.id] },
        date: { type: 'string', multiple: true, default: [...usualColumns.date] },
        'calibration-end': { type: 'string', multiple: true, default: [] },
        unit: { type: 'string', default: 'days' },
        'equal-weight': { type: 'boolean', default: false },
        out: { type: 'string' },
      },
    });
  } catch (error) {
    throw new PurchaseFileError(`${(error as Error).message}; see npm run model -- fit --help.`);
  }
}

const isUnit = (text: string): text is TimeUnit => Object.hasOwn(unitDays, text);

function readEnd(text: string): number {
  const day = readDay(text);
  if (day === null) throw new PurchaseFileError('--calibration-end must be a date such as 1997-09-30.');
  return day;
}
