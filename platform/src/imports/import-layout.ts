import { inputRule } from '../base/input-rules.ts';
import { dayStartsIn } from '../base/zoned-days.ts';
import { type Issue, isEmpty, type Layout, ruleOf } from './import-cells.ts';
import { type ColumnMapping, type FieldSet, fieldOf } from './import-fields.ts';
import { type RowFault, type SourceRecord, unreadable } from './records.ts';

/** Spreadsheet name of a column: 0 is A, 26 is AA. */
function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}

interface LayoutOptions {
  readonly set: FieldSet;
  readonly mapping: ColumnMapping;
  /** IANA time zone of the workspace, for dates without a time. */
  readonly timeZone: string;
}

/** Returns the layout of a CSV file, from its first row. */
export function csvLayout({ set, mapping, timeZone }: LayoutOptions, header: SourceRecord): Layout {
  const headers = header.cells ?? [];
  const targets = headers.map((name) => fieldOf(set, mapping, name));
  const own: readonly string[] = set.fields.map(({ name }) => name);
  const further = targets.filter((name): name is string => name !== null && !own.includes(name));
  const fields = [...own, ...new Set(further)];
  const positions = fields.map((name) => targets.indexOf(name));
  const issues = [...headerFaults(header), ...columnIssues(targets, headers, header.row)];
  for (const { name, isRequired } of set.fields) {
    if (isRequired && !targets.includes(name)) issues.push(missingColumn(name, header.row));
  }
  const layout: Layout = {
    fields,
    columns: headers.map((name, index) => ({
      column: columnName(index),
      header: name,
      field: targets[index]!,
    })),
    issues,
    isUnusable: issues.some(({ severity }) => severity === 'ERROR'),
    dayStart: dayStartsIn(timeZone),
    columnOf: (field) => (positions[field]! < 0 ? null : columnName(positions[field]!)),
    cellsOf(record) {
      const { row, cells = [], fault } = record;
      if (!fault && isBlankLine(cells)) return { row, record, values: [], layout, issues: null };
      const values = positions.map((position) => (position < 0 ? undefined : cells[position]));
      const found = fault ?? widthFault(cells.length, headers.length);
      if (found) return { row, record, values, layout, issues: [faultIssue(row, found)] };
      const isUnknown = values.every(isEmpty) && !cells.every(isEmpty);
      return { row, record, values, layout, issues: isUnknown ? [unknownRow(row)] : null };
    },
  };
  return layout;
}

/** Returns the layout of JSON rows, each of which names its own fields. */
export function jsonLayout({ set, mapping, timeZone }: LayoutOptions): Layout {
  const fields: string[] = set.fields.map(({ name }) => name);
  const targets = new Map<string, number>();
  const targetOf = (key: string): number => {
    let target = targets.get(key);
    if (target === undefined) {
      const name = fieldOf(set, mapping, key);
      target = name === null ? -1 : fields.indexOf(name);
      if (name !== null && target < 0) target = fields.push(name) - 1;
      if (targets.size < KEYS_MAX) targets.set(key, target);
    }
    return target;
  };
  const layout: Layout = {
    fields,
    columns: [],
    issues: [],
    isUnusable: false,
    dayStart: dayStartsIn(timeZone),
    columnOf: () => null,
    cellsOf(record) {
      const { row, object, fault } = record;
      const values: unknown[] = [];
      for (const [key, value] of Object.entries(object ?? {})) {
        const target = targetOf(key);
        if (target >= 0 && value !== null) values[target] = value;
      }
      if (fault) return { row, record, values, layout, issues: [faultIssue(row, fault)] };
      // A blank line has no object; an object is a row, even if it is empty.
      const isUnknown = Boolean(object) && values.every(isEmpty);
      return { row, record, values, layout, issues: isUnknown ? [unknownRow(row)] : null };
    },
  };
  return layout;
}

/** Maximum of different keys that are cached for a file of JSON rows. */
const KEYS_MAX = 1_000;

const faultIssue = (row: number, { column, message, rule }: RowFault): Issue => ({
  severity: 'ERROR',
  code: 'UNREADABLE_ROW',
  row,
  column: column === null ? null : columnName(column),
  field: null,
  ...(rule && ruleOf(rule)),
  message: `${column === null ? 'The row' : 'The cell'} ${message}.`,
});

/** The row counts as failed, because its sender must find out that no field of it was recognized. */
const unknownRow = (row: number): Issue => ({
  severity: 'ERROR',
  code: 'NO_KNOWN_FIELD',
  rule: 'NO_KNOWN_FIELD',
  row,
  column: null,
  field: null,
  message: 'The row has no value in a field of this import. Name its fields as documented, or map them.',
});

function widthFault(found: number, expected: number): RowFault | null {
  if (found === expected) return null;
  const cells = found === 1 ? '1 cell' : `${found} cells`;
  return unreadable(inputRule('CELL_COUNT', `has ${cells}, the header has ${expected}`, { found, expected }));
}

const isBlankLine = (cells: readonly string[]): boolean => cells.length === 1 && cells[0]!.trim() === '';

const headerFaults = ({ row, fault }: SourceRecord): Issue[] => (fault ? [faultIssue(row, fault)] : []);

const missingColumn = (name: string, row: number): Issue => ({
  severity: 'ERROR',
  code: 'REQUIRED',
  rule: 'COLUMN_MISSING',
  row,
  column: null,
  field: name,
  message: `No column is ${name}, which every row needs. Name a column so, or map one to it.`,
});

/** Issues do not repeat the names of unknown columns: in a file without a header they are personal data. */
function columnIssues(targets: readonly (string | null)[], headers: readonly string[], row: number): Issue[] {
  const unknown = targets.flatMap((target, index) =>
    target === null && headers[index]!.trim() !== '' ? [columnName(index)] : [],
  );
  const doubled = targets.flatMap((target, index) =>
    target !== null && targets.indexOf(target) !== index ? [{ target, column: columnName(index) }] : [],
  );
  return [
    ...unknownColumns(unknown, row),
    ...doubled.map(({ target, column }) => ({
      severity: 'ERROR' as const,
      code: 'DUPLICATE_COLUMN' as const,
      rule: 'COLUMN_REPEATED' as const,
      row,
      column,
      field: target,
      message: `Column ${column} is a second column for ${target}. Rename or map one of them.`,
    })),
  ];
}

function unknownColumns(columns: readonly string[], row: number): Issue[] {
  const [column] = columns;
  if (!column) return [];
  const [noun, verb] = columns.length === 1 ? ['Column', 'was'] : ['Columns', 'were'];
  const named = columns.slice(0, NAMED_MAX).join(', ');
  const message = `${noun} ${named} filled no field and ${verb} left out.`;
  const rule = { rule: 'COLUMN_IGNORED', values: { columns: named } } as const;
  return [{ severity: 'WARNING', code: 'UNKNOWN_COLUMN', ...rule, row, column, field: null, message }];
}

/** Maximum of columns that one message names. */
const NAMED_MAX = 20;
