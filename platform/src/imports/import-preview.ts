import { conflict, invalid } from '../base/errors.ts';
import { atMost } from '../base/input-rules.ts';
import type { Context } from '../context.ts';
import { type Cells, type Issue, isBlank, isRefused, type Layout } from './import-cells.ts';
import type { ImportDefinition } from './import-definition.ts';
import { type ColumnMapping, checkRemapping, type FieldSet } from './import-fields.ts';
import { PartMissing, readRows } from './import-rows.ts';
import { suggestFields } from './import-suggestions.ts';
import type { Import } from './imports.store.ts';

/** A column with the information that a person needs to choose its field. */
interface PreviewedColumn {
  readonly column: string;
  readonly header: string;
  readonly field: string | null;
  /** Suggested field by the header; null if the column already has a field, or if none matches. */
  readonly suggestion: string | null;
  /** First values of the column, cut to 100 characters. */
  readonly examples: readonly string[];
}

/** The expected result of an import for the first rows of its file. */
export interface ImportPreview {
  readonly columns: readonly PreviewedColumn[];
  readonly rows: readonly {
    readonly row: number;
    readonly isRefused: boolean;
    readonly values: Readonly<Record<string, unknown>>;
  }[];
  readonly issues: readonly Issue[];
}

const PREVIEW_ROWS_MAX = 100;

/**
 * Reads the first rows of the first part. Writes nothing.
 *
 * @throws AppError IMPORT_FINISHED, IMPORT_PART_MISSING (409), VALIDATION_FAILED (400)
 */
export async function previewRows(
  ctx: Context,
  definition: ImportDefinition,
  job: Import,
  count: number,
): Promise<ImportPreview> {
  if (count > PREVIEW_ROWS_MAX) throw invalid('rows', atMost(PREVIEW_ROWS_MAX));
  if (job.finishedAt) throw conflict('IMPORT_FINISHED', 'This import is finished; its file is not kept.');
  // A file that consists of one part is read to its end.
  const first = readRows(ctx, { ...job, parts: 1 }, definition.fields, {
    from: 0,
    isPartial: job.parts !== 1,
    isPreview: true,
  });
  const { done, value } = await first.next().catch(partMissing);
  if (done) return { columns: [], rows: [], issues: value?.issues ?? [] };
  const { layout, rows } = value;
  const shown = layout.isUnusable ? [] : rows.filter((cells) => !isBlank(cells)).slice(0, count);
  const read = definition.reader(ctx);
  for (const cells of shown) if (!isRefused(cells)) read(cells);
  return {
    columns: columnsOf(layout, definition.fields, rows),
    rows: shown.map((cells) => ({
      row: cells.row,
      isRefused: isRefused(cells),
      values: valuesOf(cells),
    })),
    issues: [...layout.issues, ...shown.flatMap(({ issues }) => issues ?? [])],
  };
}

function partMissing(error: unknown): never {
  if (!(error instanceof PartMissing)) throw error;
  throw conflict('IMPORT_PART_MISSING', 'No part of the file has arrived. Send the first one.');
}

const EXAMPLES_MAX = 3;
const EXAMPLE_LENGTH_MAX = 100;

function columnsOf({ columns }: Layout, set: FieldSet, rows: readonly Cells[]): PreviewedColumn[] {
  const unknown = columns.filter(({ field }) => field === null).map(({ header }) => header);
  const filled = columns.flatMap(({ field }) => field ?? []);
  const suggested = suggestFields(set, unknown, filled);
  return columns.map((column, index) => ({
    ...column,
    suggestion: column.field === null ? suggested[unknown.indexOf(column.header)]! : null,
    examples: examplesOf(rows, index),
  }));
}

function examplesOf(rows: readonly Cells[], column: number): string[] {
  const examples: string[] = [];
  for (const { record } of rows) {
    if (examples.length === EXAMPLES_MAX) break;
    const text = record.cells?.[column]?.trim();
    if (text) examples.push(text.slice(0, EXAMPLE_LENGTH_MAX).toWellFormed());
  }
  return examples;
}

/**
 * Checks a mapping against the columns of a file whose first part has arrived; JSON files have no columns.
 *
 * @throws AppError IMPORT_PART_MISSING (409), VALIDATION_FAILED (400) naming the mapping
 */
export async function checkColumns(
  ctx: Context,
  { fields }: ImportDefinition,
  job: Import,
  given: Readonly<Record<string, unknown>>,
): Promise<ColumnMapping> {
  const mapping = checkRemapping(fields, given);
  const part = { from: 0, isPartial: true, isPreview: true };
  const first = readRows(ctx, { ...job, mapping, parts: 1 }, fields, part);
  const { done, value } = await first.next().catch(partMissing);
  if (done || value.layout.columns.length === 0) return mapping;
  const { columns } = value.layout;
  const headers = new Set(columns.map(({ header }) => header.trim()));
  const unknown = Object.keys(mapping).find((name) => !headers.has(name));
  if (unknown !== undefined)
    throw invalid('mapping', `names the column ${unknown}, which the file does not have`);
  const filled = columns.flatMap(({ field }) => field ?? []);
  const twice = filled.find((name, index) => filled.indexOf(name) !== index);
  if (twice) throw invalid('mapping', `leaves two columns for ${twice}; a field takes one column`);
  return mapping;
}

const valuesOf = ({ layout, values }: Cells): Record<string, unknown> =>
  Object.fromEntries(
    layout.fields.flatMap((name, index) =>
      values[index] === undefined || values[index] === '' ? [] : [[name, values[index]]],
    ),
  );
