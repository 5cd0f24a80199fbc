import type { Context } from '../context.ts';
import { conflict, invalid } from '../errors.ts';
import { atMost } from '../values/input-rules.ts';
import { type Cells, type Issue, isBlank, isRefused, type Layout } from './import-cells.ts';
import type { ImportDefinition } from './import-definition.ts';
import { PartMissing, readRows } from './import-rows.ts';
import type { Import } from './imports.store.ts';

/** What an import would make of the first rows of its file. */
export interface ImportPreview {
  readonly columns: Layout['columns'];
  readonly rows: readonly {
    readonly row: number;
    readonly isRefused: boolean;
    readonly values: Readonly<Record<string, unknown>>;
  }[];
  readonly issues: readonly Issue[];
}

const PREVIEW_ROWS_MAX = 100;

/**
 * Reads the first rows of the first part that has arrived. Nothing is written.
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
  // Whole files of one part are read to their end.
  const first = readRows(ctx, { ...job, parts: 1 }, definition.fields, {
    from: 0,
    isPartial: job.parts !== 1,
  });
  const { done, value } = await first.next().catch((error: unknown) => {
    if (!(error instanceof PartMissing)) throw error;
    throw conflict('IMPORT_PART_MISSING', 'No part of the file has arrived. Send the first one.');
  });
  if (done) return { columns: [], rows: [], issues: value?.issues ?? [] };
  const { layout, rows } = value;
  const shown = layout.isUnusable ? [] : rows.filter((cells) => !isBlank(cells)).slice(0, count);
  const read = definition.reader(ctx);
  for (const cells of shown) if (!isRefused(cells)) read(cells);
  return {
    columns: layout.columns,
    rows: shown.map((cells) => ({
      row: cells.row,
      isRefused: isRefused(cells),
      values: valuesOf(cells),
    })),
    issues: [...layout.issues, ...shown.flatMap(({ issues }) => issues ?? [])],
  };
}

const valuesOf = ({ layout, values }: Cells): Record<string, unknown> =>
  Object.fromEntries(
    layout.fields.flatMap((name, index) =>
      values[index] === undefined || values[index] === '' ? [] : [[name, values[index]]],
    ),
  );
