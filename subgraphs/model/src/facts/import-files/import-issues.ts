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
