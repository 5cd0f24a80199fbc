import {
  type ColumnDef,
  columnVisibilityFeature,
  functionalUpdate,
  type RowSelectionState,
  rowSelectionFeature,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ShownColumns } from './kept-columns.ts';

export interface TableColumn<Row> {
  readonly key: string;
  readonly title: string;
  /** The content of the cell. Default: `value` as a number. */
  readonly cell?: (row: Row) => ReactNode;
  /** The value in a CSV file. Default: the visible text. */
  readonly value?: (row: Row) => number | string | null | undefined;
  readonly isNumber?: boolean;
  /** The sort values of the graph for this column. */
  readonly sorts?: { readonly asc: string; readonly desc: string };
  /** Hidden until it is chosen. */
  readonly isExtra?: boolean;
  /** The column has buttons: it is always visible, and absent from CSV files. */
  readonly isActs?: boolean;
}

/** The order of a list, as a sort value of the graph. */
export interface TableSort {
  readonly by: string;
  readonly choose: (sort: string) => void;
}

/** The selected rows of a table. */
export interface SelectedRows<Row> {
  readonly rows: readonly Row[];
  readonly clear: () => void;
}

const features = tableFeatures({ columnVisibilityFeature, rowSelectionFeature, rowSortingFeature });

export type Features = typeof features;

interface RowTable<Row> {
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** Whether each column is visible, by its key. */
  readonly shown: ShownColumns;
  readonly sort: TableSort | undefined;
}

/** The rows of a page, with visible columns, sort order and selection. */
export function useRowTable<Row extends object>({ columns, rows, rowKey, shown, sort }: RowTable<Row>) {
  const [selection, setSelection] = useSelection(rows, rowKey);
  const sorting = sortingOf(columns, sort?.by);
  const table = useTable<Features, Row>({
    features,
    data: rows,
    columns: columns.map(columnDefOf<Row>),
    getRowId: rowKey,
    manualSorting: true,
    enableSortingRemoval: false,
    sortDescFirst: true,
    state: { columnVisibility: shown, rowSelection: selection, sorting },
    onRowSelectionChange: (change) => setSelection((former) => functionalUpdate(change, former)),
    onSortingChange: (change) => {
      const [by] = functionalUpdate(change, sorting);
      const sorts = columns.find(({ key }) => key === by?.id)?.sorts;
      if (by && sorts) sort?.choose(by.desc ? sorts.desc : sorts.asc);
    },
  });
  const found = table.getRowModel().rows;
  return {
    table,
    found,
    selected: found.filter(({ id }) => selection[id]).map(({ original }) => original),
    clear: () => setSelection({}),
  };
}

/** The selected rows. A row that is no longer in the list is deselected. */
function useSelection<Row>(rows: readonly Row[], rowKey: (row: Row) => string) {
  const [selection, setSelection] = useState<RowSelectionState>({});
  const keyOf = useRef(rowKey);
  keyOf.current = rowKey;
  useEffect(() => {
    const listed = new Set(rows.map(keyOf.current));
    setSelection((former) => {
      const left = Object.entries(former).filter(([key]) => listed.has(key));
      return left.length === Object.keys(former).length ? former : Object.fromEntries(left);
    });
  }, [rows]);
  return [selection, setSelection] as const;
}

const columnDefOf = <Row extends object>({
  key,
  title,
  sorts,
}: TableColumn<Row>): ColumnDef<Features, Row> => ({
  id: key,
  header: title,
  accessorFn: (row) => row,
  enableSorting: sorts !== undefined,
});

/** Returns whether each column is visible. The first column and columns with buttons always are. */
export const shownOf = <Row>(
  columns: readonly TableColumn<Row>[],
  chosen: ShownColumns,
): Record<string, boolean> =>
  Object.fromEntries(
    columns.map(({ key, isExtra, isActs }, place) => [
      key,
      place === 0 || isActs || (chosen[key] ?? !isExtra),
    ]),
  );

/** The column that a sort value of the graph belongs to. */
function sortingOf<Row>(columns: readonly TableColumn<Row>[], by: string | undefined): SortingState {
  if (!by) return [];
  return columns
    .filter(({ sorts }) => sorts?.asc === by || sorts?.desc === by)
    .map(({ key, sorts }) => ({ id: key, desc: sorts?.desc === by }));
}
