import { isUuid } from '../base/ids.ts';
import { hasControlCharacters, unstorable } from '../base/input.ts';
import {
  aString,
  atLeast,
  currencyCode,
  type InputRule,
  type InputRuleName,
  inputRule,
  lengthAtMost,
  noControlCharacters,
  oneOf,
  type RuleValues,
  required,
  uuid,
  validJson,
} from '../base/input-rules.ts';
import { looksLikeFormula } from '../base/spreadsheet-formula.ts';
import type { SourceRecord } from './records.ts';

export type IssueCode =
  | 'REQUIRED'
  | 'INVALID_VALUE'
  | 'FORMULA'
  | 'UNREADABLE_FILE'
  | 'UNREADABLE_ROW'
  | 'NO_KNOWN_FIELD'
  | 'UNKNOWN_COLUMN'
  | 'DUPLICATE_COLUMN';

/** A problem in a file: its location and kind, but never the content of a cell. */
export interface Issue {
  /** An ERROR refuses the row; a WARNING does not. */
  readonly severity: 'ERROR' | 'WARNING';
  /** Code for programs, such as `REQUIRED`. */
  readonly code: IssueCode;
  /** The broken rule, if it is a rule with a name. */
  readonly rule?: InputRuleName | null;
  /** Values of the rule. */
  readonly values?: RuleValues | null;
  readonly row: number;
  /** Column name as in a spreadsheet; null if the problem is about the whole row. */
  readonly column: string | null;
  readonly field: string | null;
  readonly message: string;
}

/** One row of a file with its values by field. */
export interface Cells {
  readonly row: number;
  /** The row as in the file. */
  readonly record: SourceRecord;
  /** Values in the order of the layout's fields. */
  readonly values: readonly unknown[];
  readonly layout: Layout;
  /** Issues of the row; null while there are none. */
  issues: Issue[] | null;
}

/** A column of a CSV file and its field. */
interface Column {
  readonly column: string;
  readonly header: string;
  /** Null if the column is ignored. */
  readonly field: string | null;
}

/** The assignment of a file's columns to fields. */
export interface Layout {
  /** Names of the fields: first those of the definition, then custom ones. */
  readonly fields: readonly string[];
  /** Columns of a CSV file, in file order. */
  readonly columns: readonly Column[];
  /** Issues about the whole file. */
  readonly issues: readonly Issue[];
  /** True if a required field has no column, so that nothing can be imported. */
  readonly isUnusable: boolean;
  /** Returns the column of a field, named as in a spreadsheet. */
  columnOf(field: number): string | null;
  cellsOf(record: SourceRecord): Cells;
  /** Converts midnight UTC of a day to its start in the workspace's time zone, both in ms since 1970. */
  readonly dayStart: (utcMidnight: number) => number;
}

/** Records an issue of one cell; the row is not imported. */
export function refuse(
  cells: Cells,
  field: number,
  rule: string | InputRule,
  code: IssueCode = 'INVALID_VALUE',
): void {
  note(cells, field, rule, { severity: 'ERROR', code });
}

function note(
  cells: Cells,
  field: number,
  rule: string | InputRule,
  about: Pick<Issue, 'severity' | 'code'>,
): void {
  const name = cells.layout.fields[field]!;
  const place = { row: cells.row, column: cells.layout.columnOf(field), field: name };
  cells.issues ??= [];
  cells.issues.push({ ...about, ...place, ...ruleOf(rule), message: `${name} ${textOf(rule)}.` });
}

/** Converts a rule to the form of issues. */
export const ruleOf = (rule: string | InputRule): Pick<Issue, 'rule' | 'values'> =>
  typeof rule === 'string' ? {} : { rule: rule.name, ...(rule.values && { values: rule.values }) };

const textOf = (rule: string | InputRule): string => (typeof rule === 'string' ? rule : rule.text);

export const isRefused = ({ issues }: Cells): boolean =>
  issues?.some(({ severity }) => severity === 'ERROR') ?? false;

/** Returns whether the whole row is empty. */
export const isBlank = ({ values, issues }: Cells): boolean => issues === null && values.every(isEmpty);

export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Reads trimmed text; null if the cell is empty. A JSON number is read as its text. */
export function readText(cells: Cells, field: number, lengthMax: number): string | null {
  const value = cells.values[field];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') {
    refuse(cells, field, { ...aString, text: 'must be text' });
    return null;
  }
  const text = typeof value === 'string' ? value.trim() : String(value);
  if (text === '') return null;
  if (text.length > lengthMax) {
    refuse(cells, field, lengthAtMost(lengthMax));
    return null;
  }
  if (hasControlCharacters(text) || !text.isWellFormed()) {
    refuse(cells, field, noControlCharacters);
    return null;
  }
  return text;
}

const formula = inputRule(
  'FORMULA',
  'begins like a formula; it was kept as text, take care where you export it',
);

/** Reads free text. Text that looks like a formula is accepted with a warning. */
export function readFreeText(cells: Cells, field: number, lengthMax: number): string | null {
  const text = readText(cells, field, lengthMax);
  if (text !== null && looksLikeFormula(text)) {
    note(cells, field, formula, { severity: 'WARNING', code: 'FORMULA' });
  }
  return text;
}

/** Reads text that is required. */
export function requireText(cells: Cells, field: number, lengthMax: number): string {
  const before = cells.issues?.length ?? 0;
  const text = readText(cells, field, lengthMax);
  if (text === null && (cells.issues?.length ?? 0) === before) refuse(cells, field, required, 'REQUIRED');
  return text ?? '';
}

const WHOLE = /^-?\d{1,18}$/;

/** Reads an integer of minor units as text, because it may exceed a JavaScript number; null if empty. */
export function readMinor(cells: Cells, field: number): string | null {
  const text = readText(cells, field, 40);
  if (text === null) return null;
  if (WHOLE.test(text) && text !== '-0' && text[0] !== '-') return text;
  refuse(cells, field, minorRule(text));
  return null;
}

function minorRule(text: string): InputRule {
  if (text.startsWith('-')) return { ...atLeast(0), text: 'must not be negative' };
  const isDecimal = /^\d+[.,]\d+$/.test(text);
  return inputRule(
    'MINOR_UNITS',
    isDecimal
      ? 'must be whole minor units: write 12.50 EUR as 1250'
      : 'must be a whole number of minor units, such as 1250 for 12.50 EUR',
  );
}

export function readUuid(cells: Cells, field: number): string | null {
  const text = readText(cells, field, 100);
  if (text === null || isUuid(text)) return text?.toLowerCase() ?? null;
  refuse(cells, field, uuid);
  return null;
}

const CURRENCY = /^[A-Z]{3}$/;

export function readCurrency(cells: Cells, field: number): string | null {
  const text = readText(cells, field, 10)?.toUpperCase() ?? null;
  if (text === null || CURRENCY.test(text)) return text;
  refuse(cells, field, currencyCode);
  return null;
}

const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Reads an instant as ISO 8601 in UTC. Without an offset it is UTC; without a time it is the start of the day
 * in the workspace's time zone.
 */
export const readInstant = (cells: Cells, field: number): string | null =>
  readDate(cells, field)?.toISOString() ?? null;

const instant = inputRule('INSTANT', 'must be an instant in ISO 8601, such as 2026-03-02T10:00:00Z');

/** Like `readInstant`, as a Date. */
export function readDate(cells: Cells, field: number): Date | null {
  const text = readText(cells, field, 40);
  if (text === null) return null;
  const at = parseInstant(text, cells.layout.dayStart);
  if (!at) refuse(cells, field, instant);
  return at;
}

/**
 * The usual form of instants from machines, on a day that every month has. Such text needs no further check.
 */
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

/** Reads one of the options, ignoring case. */
export function readOption<Option extends string>(
  cells: Cells,
  field: number,
  options: readonly Option[],
): Option | null {
  const text = readText(cells, field, 100)?.toUpperCase().replace(/[ -]/g, '_') ?? null;
  const found = options.find((option) => option === text);
  if (text !== null && !found) {
    refuse(cells, field, oneOf(options.map((option) => option.toLowerCase())));
  }
  return found ?? null;
}

/** Reads JSON, or text that contains JSON; undefined if the cell is empty or not JSON. */
export function readJson(cells: Cells, field: number): unknown {
  const value = cells.values[field];
  if (isEmpty(value)) return undefined;
  try {
    const json: unknown = typeof value === 'string' ? JSON.parse(value) : value;
    const found = unstorable(json);
    if (!found) return json;
    refuse(cells, field, found.rule);
  } catch {
    refuse(cells, field, validJson);
  }
  return undefined;
}
