import { type AppError, conflict } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';

/** The numbers of new and of skipped rows of a file. */
export interface RowCounts {
  readonly inserted: number;
  /** Imported already, or twice in the file, with the same data. */
  readonly skipped: number;
}

/** A parsed file whose members and orders were found. */
export interface ImportPlan {
  /** Member ids by the external ids in the file, as far as they are known yet. */
  readonly mappings: () => ReadonlyMap<string, string>;
  /** Counts without writing; ids that have other data are recorded as issues. */
  count(): Promise<RowCounts>;
  /** @throws AppError IMPORT_CONFLICT (409) if ids were imported with other data since the preview */
  write(tx: Context): Promise<RowCounts>;
}

/** Returns IMPORT_CONFLICT (409). */
export const conflictsNow = (): AppError =>
  conflict(
    'IMPORT_CONFLICT',
    'Since the preview, other data was imported under ids of this file. Nothing was imported.',
  );

/** A fault that prevents an import: its place and the rule, never the content of a cell. */
export interface DataImportIssue {
  readonly row: number;
  /** The column's or field's own name; null if the issue is about the whole row. */
  readonly column: string | null;
  readonly code: string;
  readonly message: string;
}

/** Issues of one file: all are counted, the first ones are kept. */
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

/** Sorted as in the file. */
export const keptIssues = ({ kept }: IssueList): DataImportIssue[] =>
  kept.toSorted((one, other) => one.row - other.row);
