import { isUuid } from '../values/ids.ts';
import { hasControlCharacters, unstorable } from '../values/input.ts';
import type { SourceRecord } from './records/records.ts';

/** A problem of a file: where it is and what is wrong, never what a cell holds. */
export interface Issue {
  /** An error refuses its row; a warning does not. */
  readonly severity: 'ERROR' | 'WARNING';
  /** For programs, such as `REQUIRED`. */
  readonly code: string;
  readonly row: number;
  /** As a spreadsheet names it; null where the row as a whole is meant. */
  readonly column: string | null;
  readonly field: string | null;
  readonly message: string;
}

/** One row of a file, its values by field. */
export interface Cells {
  readonly row: number;
  /** In the order of the layout's fields. */
  readonly values: readonly unknown[];
  readonly layout: Layout;
  /** What is wrong with the row; null until something is. */
  issues: Issue[] | null;
}

/** A column of a CSV file and the field that it fills. */
interface Column {
  readonly column: string;
  readonly header: string;
  /** Null where the column is ignored. */
  readonly field: string | null;
}

/** Where in a file the fields are. */
export interface Layout {
  /** Names of the fields: those of the definition first, then custom ones. */
  readonly fields: readonly string[];
  /** Columns of a CSV file in their order. */
  readonly columns: readonly Column[];
  /** Issues of the file as a whole. */
  readonly issues: readonly Issue[];
  /** A required field has no column: there is nothing to import. */
  readonly isUnusable: boolean;
  /** The column of a field, as a spreadsheet names it. */
  columnOf(field: number): string | null;
  cellsOf(record: SourceRecord): Cells;
  /** When a day begins in the workspace, from its midnight in UTC; both in ms since 1970. */
  readonly dayStart: (utcMidnight: number) => number;
}

/** Notes what is wrong with one cell; its row is not imported. */
export function refuse(cells: Cells, field: number, rule: string, code = 'INVALID_VALUE'): void {
  note(cells, field, { severity: 'ERROR', code, message: rule });
}

type Note = Pick<Issue, 'severity' | 'code' | 'message'>;

function note(cells: Cells, field: number, { severity, code, message }: Note): void {
  const name = cells.layout.fields[field]!;
  const place = { row: cells.row, column: cells.layout.columnOf(field), field: name };
  cells.issues ??= [];
  cells.issues.push({ severity, code, ...place, message: `${name} ${message}.` });
}

export const isRefused = ({ issues }: Cells): boolean =>
  issues?.some(({ severity }) => severity === 'ERROR') ?? false;

/** Is there nothing in the whole row? */
export const isBlank = ({ values, issues }: Cells): boolean => issues === null && values.every(isEmpty);

export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Text that a spreadsheet would run as a formula when the data is exported again. */
const FORMULA = /^[=+\-@\t\r]/;

/** Trimmed text; null where the cell is empty. Numbers of JSON count as their text. */
export function readText(cells: Cells, field: number, lengthMax: number): string | null {
  const value = cells.values[field];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') {
    refuse(cells, field, 'must be text');
    return null;
  }
  const text = typeof value === 'string' ? value.trim() : String(value);
  if (text === '') return null;
  if (text.length > lengthMax) {
    refuse(cells, field, `must have at most ${lengthMax} characters`);
    return null;
  }
  if (hasControlCharacters(text) || !text.isWellFormed()) {
    refuse(cells, field, 'must not contain control characters');
    return null;
  }
  return text;
}

/** Text for people. What a spreadsheet could take for a formula is kept, with a warning. */
export function readFreeText(cells: Cells, field: number, lengthMax: number): string | null {
  const text = readText(cells, field, lengthMax);
  if (text !== null && FORMULA.test(text)) {
    const message = 'begins like a formula; it was kept as text, take care where you export it';
    note(cells, field, { severity: 'WARNING', code: 'FORMULA', message });
  }
  return text;
}

/** Text that must be there. */
export function requireText(cells: Cells, field: number, lengthMax: number): string {
  const before = cells.issues?.length ?? 0;
  const text = readText(cells, field, lengthMax);
  if (text === null && (cells.issues?.length ?? 0) === before)
    refuse(cells, field, 'is required', 'REQUIRED');
  return text ?? '';
}

const WHOLE = /^-?\d{1,18}$/;

/** A whole number of minor units as text, since it may be larger than a number holds; null where empty. */
export function readMinor(cells: Cells, field: number): string | null {
  const text = readText(cells, field, 40);
  if (text === null) return null;
  if (WHOLE.test(text) && text !== '-0' && text[0] !== '-') return text;
  refuse(cells, field, minorRule(text));
  return null;
}

function minorRule(text: string): string {
  if (text.startsWith('-')) return 'must not be negative';
  if (/^\d+[.,]\d+$/.test(text)) return 'must be whole minor units: write 12.50 EUR as 1250';
  return 'must be a whole number of minor units, such as 1250 for 12.50 EUR';
}

export function readUuid(cells: Cells, field: number): string | null {
  const text = readText(cells, field, 100);
  if (text === null || isUuid(text)) return text?.toLowerCase() ?? null;
  refuse(cells, field, 'must be a UUID');
  return null;
}

const CURRENCY = /^[A-Z]{3}$/;

export function readCurrency(cells: Cells, field: number): string | null {
  const text = readText(cells, field, 10)?.toUpperCase() ?? null;
  if (text === null || CURRENCY.test(text)) return text;
  refuse(cells, field, 'must be an ISO 4217 code such as EUR');
  return null;
}

const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * An instant as ISO 8601 in UTC; without an offset it is UTC, without a time it is the start of that day in
 * the workspace's time zone.
 */
export const readInstant = (cells: Cells, field: number): string | null =>
  readDate(cells, field)?.toISOString() ?? null;

/** As `readInstant`, as a date. */
export function readDate(cells: Cells, field: number): Date | null {
  const text = readText(cells, field, 40);
  if (text === null) return null;
  const at = parseInstant(text, cells.layout.dayStart);
  if (!at) refuse(cells, field, 'must be an instant in ISO 8601, such as 2026-03-02T10:00:00Z');
  return at;
}

/** How machines write instants, on a day that every month has: nothing more is to be checked of it. */
const PLAIN_INSTANT =
  /^(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/;

function parseInstant(text: string, dayStart: Cells['layout']['dayStart']): Date | null {
  if (PLAIN_INSTANT.test(text)) return new Date(text);
  const found = INSTANT.exec(text);
  if (!found) return null;
  const [, year, month, day, hour, , , zone] = found;
  const midnight = Date.UTC(Number(year), Number(month) - 1, Number(day));
  if (new Date(midnight).getUTCDate() !== Number(day)) return null;
  if (hour === undefined) return new Date(dayStart(midnight));
  const at = new Date(`${text.replace(' ', 'T')}${zone === undefined ? 'Z' : ''}`);
  return Number.isNaN(at.getTime()) ? null : at;
}

/** One of the options, in any case. */
export function readOption<Option extends string>(
  cells: Cells,
  field: number,
  options: readonly Option[],
): Option | null {
  const text = readText(cells, field, 100)?.toUpperCase().replace(/[ -]/g, '_') ?? null;
  const found = options.find((option) => option === text);
  if (text !== null && !found) {
    refuse(cells, field, `must be one of ${options.map((option) => option.toLowerCase()).join(', ')}`);
  }
  return found ?? null;
}

/** JSON, or the text of some; undefined where the cell is empty or no JSON. */
export function readJson(cells: Cells, field: number): unknown {
  const value = cells.values[field];
  if (isEmpty(value)) return undefined;
  try {
    const json: unknown = typeof value === 'string' ? JSON.parse(value) : value;
    const found = unstorable(json);
    if (!found) return json;
    refuse(cells, field, found.rule);
  } catch {
    refuse(cells, field, 'must be valid JSON');
  }
  return undefined;
}
