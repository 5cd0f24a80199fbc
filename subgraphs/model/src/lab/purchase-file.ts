import { readFileSync } from 'node:fs';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { csvParser, sniffCsv } from '@loyalty/platform/imports/csv-records';

/** An unusable file or option; the message says what to do. */
export class PurchaseFileError extends Error {}

/** Names of columns; of each list, the first one that a file has is used. */
export interface Columns {
  readonly id: readonly string[];
  readonly date: readonly string[];
}

/** Sorted days with a purchase of each customer, in days since 1970-01-01. */
export type PurchaseDays = ReadonlyMap<string, readonly number[]>;

/** The default columns: those of the CDNOW sample come first. */
export const usualColumns: Columns = {
  id: ['sample_id', 'customer_id', 'member_id', 'customer', 'id'],
  date: ['date', 'occurred_at', 'day', 'invoice_date'],
};

/**
 * Reads purchases from CSV with a header, a customer and a date in each row. Several purchases on one day
 * count as one.
 *
 * @throws PurchaseFileError if the file or a column is missing, or a date is not valid
 */
export function readPurchases(path: string, columns = usualColumns): PurchaseDays {
  const { header, rows } = readTable(path);
  if (rows.length === 0) throw new PurchaseFileError(`${path} is empty: give it a header and rows.`);
  const hint = (option: string) => `choose one of ${header.join(', ')} with ${option}`;
  const id = columnIn(path, header, columns.id, hint('--id'));
  const date = columnIn(path, header, columns.date, hint('--date'));
  const found = new Map<string, Set<number>>();
  for (const { row, cells } of rows) {
    const day = readDay(cells[date] ?? '');
    const customer = cells[id] ?? '';
    if (day === null || customer === '')
      throw new PurchaseFileError(
        `${path}, row ${row}: give a customer, and a date such as 1997-01-31 in ${header[date]}.`,
      );
    const days = found.get(customer);
    if (days) days.add(day);
    else found.set(customer, new Set([day]));
  }
  return new Map(Array.from(found, ([customer, days]) => [customer, [...days].sort((a, b) => a - b)]));
}

interface Table {
  readonly header: readonly string[];
  /** Without empty rows; numbered like in a spreadsheet. */
  readonly rows: readonly { readonly row: number; readonly cells: readonly string[] }[];
}

/**
 * Reads a CSV file with a header.
 *
 * @throws PurchaseFileError if there is no such file, or a row is not valid CSV
 */
export function readTable(path: string): Table {
  const bytes = readBytes(path);
  const parser = csvParser(sniffCsv(bytes.toString('utf8', 0, 4_096)));
  const records = [...parser.push(bytes), ...parser.end()];
  const fault = records.find((record) => record.fault);
  if (fault?.fault)
    throw new PurchaseFileError(
      `${path}, row ${fault.row} ${fault.fault.message}: repair it, then try again.`,
    );
  const filled = records
    .map(({ row, cells = [] }) => ({ row, cells: cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  return { header: filled[0]?.cells ?? [], rows: filled.slice(1) };
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new PurchaseFileError(`${path} cannot be read (${code}): name a CSV file that is there.`);
  }
}

/**
 * Returns the index of the first of these columns that a file has.
 *
 * @param hint - what to do if it has none
 * @throws PurchaseFileError
 */
export function columnIn(
  path: string,
  header: readonly string[],
  wanted: readonly string[],
  hint = `rename one of ${header.join(', ')}`,
): number {
  const name = wanted.find((each) => header.includes(each));
  if (name !== undefined) return header.indexOf(name);
  throw new PurchaseFileError(`${path} has no column ${wanted.join(', ')}: ${hint}.`);
}

/** Parses `1997-01-31`, with or without a time after it, or `19970131`; null if it is not a valid day. */
export function readDay(text: string): number | null {
  const [, year, month, date] = /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ].*)?$/.exec(text.trim()) ?? [];
  const iso = `${year}-${month}-${date}`;
  const ms = Date.parse(`${iso}T00:00:00Z`);
  // Date.parse refuses 02-30; other invalid days are NaN.
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== iso ? null : ms / DAY_MS;
}
