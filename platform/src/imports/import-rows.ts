import type { InputRuleName } from '../base/input-rules.ts';
import type { Context } from '../context.ts';
import { timeZoneOf } from '../database/time-zone.ts';
import { csvParser, sniffCsv } from './csv-records.ts';
import type { Cells, Issue, Layout } from './import-cells.ts';
import type { FieldSet } from './import-fields.ts';
import { csvLayout, jsonLayout } from './import-layout.ts';
import { findPart } from './import-parts.store.ts';
import type { Import } from './imports.store.ts';
import { ndjsonParser } from './ndjson-records.ts';
import type { Parser, SourceRecord } from './records.ts';

/** Context in which the keyring seals parts. */
export const PART_CONTEXT = 'import.part';
const SNIFFED_BYTES = 64 * 1024;

/** Rows of one part of the file, and their layout. */
export interface RowBatch {
  readonly layout: Layout;
  readonly rows: Cells[];
}

interface Reading {
  /** Rows up to this number are skipped. */
  readonly from: number;
  /** True if more parts may follow: an unfinished row at the end is left out. */
  readonly isPartial?: boolean;
  /** True in a preview: rows are also read below a header that makes the file unusable. */
  readonly isPreview?: boolean;
}

/** The issues for which a file cannot be imported at all. */
export interface Unusable {
  readonly issues: readonly Issue[];
}

/**
 * Reads the file part by part; the next part is loaded while the current one is processed. Returns the reason
 * if the file is unusable, otherwise null.
 *
 * @param fields - fields that columns may fill
 */
export async function* readRows(
  ctx: Context,
  job: Import,
  fields: FieldSet,
  { from, isPartial = false, isPreview = false }: Reading,
): AsyncGenerator<RowBatch, Unusable | null> {
  let parser: Parser | null = null;
  const options = { set: fields, mapping: job.mapping, timeZone: await timeZoneOf(ctx) };
  let layout: Layout | null = job.format === 'NDJSON' ? jsonLayout(options) : null;
  const count = job.parts ?? 0;
  let next = openPart(ctx, job.id, 0);
  for (let part = 0; part < count; part += 1) {
    const bytes = await next;
    if (part + 1 < count) {
      next = openPart(ctx, job.id, part + 1);
      // The next turn awaits the promise and throws its error.
      next.catch(() => {});
    }
    if (part === 0 && isUtf16(bytes))
      return unusable('ENCODING', 'The file is UTF-16. Save it as CSV in UTF-8.');
    parser ??= parserOf(job, bytes);
    const records = parser.push(bytes);
    if (part === count - 1 && !isPartial) records.push(...parser.end());
    if (!layout) {
      const header = records.shift();
      if (!header) continue;
      layout = csvLayout(options, header);
      if (layout.isUnusable && !isPreview) return { issues: layout.issues };
    }
    yield { layout, rows: cellsAfter(layout, records, from) };
  }
  return layout ? null : unusable('FILE_EMPTY', 'The file is empty.');
}

function cellsAfter(layout: Layout, records: readonly SourceRecord[], from: number): Cells[] {
  const after = (records.at(-1)?.row ?? 0) > from ? records.filter(({ row }) => row > from) : [];
  return after.map((record) => layout.cellsOf(record));
}

const parserOf = ({ format }: Import, start: Buffer): Parser =>
  format === 'NDJSON' ? ndjsonParser() : csvParser(sniffCsv(start.toString('latin1', 0, SNIFFED_BYTES)));

const unusable = (rule: InputRuleName, message: string): Unusable => ({
  issues: [{ severity: 'ERROR', code: 'UNREADABLE_FILE', rule, row: 1, column: null, field: null, message }],
});

const isUtf16 = ([first, second]: Buffer): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

/** A part of the file has not arrived, or was deleted. */
export class PartMissing extends Error {
  constructor(part: number) {
    super(`Part ${part} of the import is missing.`);
  }
}

async function openPart(ctx: Context, id: string, number: number): Promise<Buffer> {
  const sealed = await findPart(ctx, id, number);
  if (!sealed) throw new PartMissing(number);
  const text = await ctx.services.keyring.open(ctx.scope.workspaceId, sealed, PART_CONTEXT);
  return Buffer.from(text, 'latin1');
}
