import type { Context } from '@loyalty/platform/context';
import { type AppError, conflict } from '@loyalty/platform/errors';

/** How many rows of a file are new, and how many are skipped. */
export interface RowCounts {
  readonly inserted: number;
  /** There already, or twice in the file, with the same data. */
  readonly skipped: number;
}

/** A file that was read and whose members and orders were looked up. */
export interface ImportPlan {
  /** Member ids by the external ids that the file names, as far as they are known yet. */
  readonly mappings: () => ReadonlyMap<string, string>;
  /** Counts without writing; ids that have other data are noted as issues. */
  count(): Promise<RowCounts>;
  /** @throws AppError IMPORT_CONFLICT (409) where ids were imported with other data since then */
  write(tx: Context): Promise<RowCounts>;
}

/** IMPORT_CONFLICT (409). */
export const conflictsNow = (): AppError =>
  conflict(
    'IMPORT_CONFLICT',
    'Since the preview, other data was imported under ids of this file. Nothing was imported.',
  );
