import type { ReactNode } from 'react';

export interface TableColumn<Row> {
  readonly key: string;
  readonly title: string;
  /** What is shown. Default: the number of `value`. */
  readonly cell?: (row: Row) => ReactNode;
  /** What a file says. Default: the text that is shown. */
  readonly value?: (row: Row) => number | string | null | undefined;
  readonly isNumber?: boolean;
  /** The orders of the graph by this column. */
  readonly sorts?: { readonly asc: string; readonly desc: string };
  /** Hidden until somebody chooses it. */
  readonly isExtra?: boolean;
  /** Buttons and the like: always there, and not in a file. */
  readonly isActs?: boolean;
}

/** The order of a list, as the graph calls it. */
export interface TableSort {
  readonly by: string;
  readonly choose: (sort: string) => void;
}

/** What can be done with rows that somebody has selected. */
export interface SelectedRows<Row> {
  readonly rows: readonly Row[];
  readonly clear: () => void;
}
