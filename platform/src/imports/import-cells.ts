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

/** A problem of a file: where it is and what is wrong, never what a cell holds. */
export interface Issue {
  /** An error refuses its row; a warning does not. */
  readonly severity: 'ERROR' | 'WARNING';
  /** For programs, such as `REQUIRED`. */
  readonly code: IssueCode;
  /** The rule that is broken, where it is one of those that programs may know. */
  readonly rule?: InputRuleName | null;
  /** What the rule compares with. */
  readonly values?: RuleValues | null;
  readonly row: number;
  /** As a spreadsheet names it; null where the row as a whole is meant. */
  readonly column: string | null;
  readonly field: string | null;
  readonly message: string;
}

/** One row of a file, its values by field. */
export interface Cells {
  readonly row: number;
  /** The row as the file has it. */
  readonly record: SourceRecord;
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

/** A rule as issues have it. */
export const ruleOf = (rule: string | InputRule): Pick<Issue, 'rule' | 'values'> =>
  typeof rule === 'string' ? {} : { rule: rule.name, ...(rule.values && { values: rule.values }) };

const textOf = (rule: string | InputRule): string => (typeof rule === 'string' ? rule : rule.text);

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

/** Text for people. What a spreadsheet could take for a formula is kept, with a warning. */
export function readFreeText(cells: Cells, field: number, lengthMax: number): string | null {
  const text = readText(cells, field, lengthMax);
  if (text !== null && FORMULA.test(text)) {
    note(cells, field, formula, { severity: 'WARNING', code: 'FORMULA' });
  }
  return text;
}

/** Text that must be there. */
export function requireText(cells: Cells, field: number, lengthMax: number): string {
  const before = cells.issues?.length ?? 0;
  const text = readText(cells, field, lengthMax);
  if (text === null && (cells.issues?.length ?? 0) === before) refuse(cells, field, required, 'REQUIRED');
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
 * An instant as ISO 8601 in UTC; without an offset it is UTC, without a time it is the start of that day in
 * the workspace's time zone.
 */
export const readInstant = (cells: Cells, field: number): string | null =>
  readDate(cells, field)?.toISOString() ?? null;

const instant = inputRule('INSTANT', 'must be an instant in ISO 8601, such as 2026-03-02T10:00:00Z');

/** As `readInstant`, as a date. */
export function readDate(cells: Cells, field: number): Date | null {
  const text = readText(cells, field, 40);
  if (text === null) return null;
  const at = parseInstant(text, cells.layout.dayStart);
  if (!at) refuse(cells, field, instant);
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
    refuse(cells, field, oneOf(options.map((option) => option.toLowerCase())));
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
    refuse(cells, field, validJson);
  }
  return undefined;
}
