import { setImmediate } from 'node:timers/promises';
import type { Context } from '@loyalty/platform/context';
import { timeZoneOf } from '@loyalty/platform/database/time-zone';
import { csvParser, sniffCsv } from '@loyalty/platform/imports/csv-records';
import {
  type Cells,
  type Issue,
  isBlank,
  isRefused,
  type Layout,
} from '@loyalty/platform/imports/import-cells';
import { csvLayout, jsonLayout } from '@loyalty/platform/imports/import-layout';
import { ndjsonParser } from '@loyalty/platform/imports/ndjson-records';
import type { Parser, SourceRecord } from '@loyalty/platform/imports/records';
import type { CheckedImport } from './data-imports.input.ts';
import { type IssueList, noteIssue } from './import-plan.ts';

/** One parsed row. */
export interface DraftRow<Draft> {
  readonly row: number;
  readonly draft: Draft;
}

/** The rows of a file. */
export interface FileRows<Draft> {
  readonly rows: DraftRow<Draft>[];
  /** Rows with issues, as far as they could be parsed: their members and orders are checked, too. */
  readonly refused: DraftRow<Draft>[];
}

const SNIFFED_BYTES = 64 * 1024;
/** About a thousand rows, which take a few milliseconds. */
const SLICE_BYTES = 64 * 1024;

/**
 * Reads a file row by row; rows with issues are returned separately. Columns without a field are ignored.
 * Between two slices of the file other requests are served.
 *
 * @param read - how the kind reads a row
 */
export async function readFile<Draft>(
  ctx: Context,
  input: CheckedImport,
  issues: IssueList,
  read: (cells: Cells) => Draft,
): Promise<FileRows<Draft>> {
  const laid = { set: input.fields, mapping: input.mapping, timeZone: await timeZoneOf(ctx) };
  let layout: Layout | null = input.format === 'JSON' ? jsonLayout(laid) : null;
  let nameOf = namesIn(layout);
  const rows: DraftRow<Draft>[] = [];
  const refused: DraftRow<Draft>[] = [];
  for await (const records of recordsOf(input)) {
    let from = 0;
    if (!layout) {
      const [header] = records;
      if (!header) continue;
      from = 1;
      layout = csvLayout(laid, header);
      nameOf = namesIn(layout);
      noteHeader(issues, layout, nameOf, input.mapping);
      if (layout.isUnusable) return { rows, refused };
    }
    for (let at = from; at < records.length; at += 1) {
      const cells = layout.cellsOf(records[at]!);
      if (isBlank(cells)) continue;
      const draft = cells.issues ? null : read(cells);
      const isFine = !isRefused(cells);
      if (!isFine) noteAll(issues, cells.issues!, nameOf);
      if (draft) (isFine ? rows : refused).push({ row: cells.row, draft });
    }
  }
  if (rows.length === 0 && issues.count === 0)
    noteIssue(issues, { row: 1, column: null, code: 'NO_ROWS', message: 'The file has no rows to import.' });
  return { rows, refused };
}

type NameOf = (issue: Issue) => string | null;

/** Returns the name of a column in the file, or of the field if the file has no columns. */
function namesIn(layout: Layout | null): NameOf {
  const headers = new Map(layout?.columns.map(({ column, header }) => [column, header.trim()]));
  return ({ column, field }) => (column === null ? null : headers.get(column)) ?? field;
}

function noteAll(issues: IssueList, found: readonly Issue[], nameOf: NameOf): void {
  for (const issue of found) {
    if (issue.severity !== 'ERROR') continue;
    const { row, code, message } = issue;
    noteIssue(issues, { row, column: nameOf(issue), code, message });
  }
}

function noteHeader(
  issues: IssueList,
  layout: Layout,
  nameOf: NameOf,
  mapping: Readonly<Record<string, string>>,
): void {
  noteAll(issues, layout.issues, nameOf);
  const headers = new Set(layout.columns.map(({ header }) => header.trim()));
  for (const column of Object.keys(mapping)) {
    const message = 'The mapping names a column that the file does not have.';
    if (!headers.has(column)) noteIssue(issues, { row: 1, column, code: 'UNKNOWN_COLUMN', message });
  }
}

async function* recordsOf({ format, bytes }: CheckedImport): AsyncGenerator<readonly SourceRecord[]> {
  if (format === 'JSON' && isArray(bytes)) {
    yield* itemsOf(bytes);
    return;
  }
  const parser: Parser =
    format === 'JSON' ? ndjsonParser() : csvParser(sniffCsv(bytes.toString('latin1', 0, SNIFFED_BYTES)));
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    yield parser.push(bytes.subarray(at, at + SLICE_BYTES));
    await setImmediate();
  }
  yield parser.end();
}

const isArray = (bytes: Buffer): boolean => /^\uFEFF?\s*\[/.test(bytes.toString('utf8', 0, 1_024));

const ITEMS_AT_ONCE = 1_000;
const NO_ARRAY = { column: null, message: 'is not valid JSON: the file must be an array of objects' };
const NO_OBJECT = { column: null, message: 'must be a JSON object' };

async function* itemsOf(bytes: Buffer): AsyncGenerator<readonly SourceRecord[]> {
  let items: unknown[];
  try {
    items = JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch {
    yield [{ row: 1, object: null, fault: NO_ARRAY }];
    return;
  }
  for (let at = 0; at < items.length; at += ITEMS_AT_ONCE) {
    yield items.slice(at, at + ITEMS_AT_ONCE).map((item, index) => recordOf(item, at + index + 1));
    await setImmediate();
  }
}

function recordOf(item: unknown, row: number): SourceRecord {
  const isObject = typeof item === 'object' && item !== null && !Array.isArray(item);
  if (!isObject) return { row, object: null, fault: NO_OBJECT };
  return { row, object: item as Record<string, unknown>, fault: null };
}
