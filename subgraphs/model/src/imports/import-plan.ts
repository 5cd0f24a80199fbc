import { type AppError, conflict } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';

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

/** A fault that prevents an import: where it is and what is wrong, never the content of a cell. */
export interface DataImportIssue {
  readonly row: number;
  /** The column's or field's own name; null where the row as a whole is meant. */
  readonly column: string | null;
  readonly code: string;
  readonly message: string;
}

/** Issues of one file: all are counted, the first are kept. */
export interface IssueList {
  count: number;
  readonly kept: DataImportIssue[];
}

const ISSUES_KEPT_MAX = 1_000;

export const issueList = (): IssueList => ({ count: 0, kept: [] });

export function noteIssue(list: IssueList, issue: DataImportIssue): void {
  list.count += 1;
  if (list.kept.length < ISSUES_KEPT_MAX) list.kept.push(issue);
}

/** In the order of the file. */
export const keptIssues = ({ kept }: IssueList): DataImportIssue[] =>
  kept.toSorted((one, other) => one.row - other.row);
