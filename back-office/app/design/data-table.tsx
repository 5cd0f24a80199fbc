import {
  Button,
  Checkbox,
  Group,
  NativeSelect,
  Popover,
  Skeleton,
  Stack,
  Text,
  VisuallyHidden,
} from '@mantine/core';
import IconArrowDown from '@tabler/icons-react/icons/IconArrowDown';
import IconArrowUp from '@tabler/icons-react/icons/IconArrowUp';
import IconSelector from '@tabler/icons-react/icons/IconSelector';
import type { Header } from '@tanstack/react-table';
import { type ReactNode, useRef } from 'react';
import { useText } from '../messages/text.ts';
import { csvOf, download, shownCells } from '../plots/csv.ts';
import classes from './data-table.module.css';
import { type ShownColumns, useKeptColumns } from './kept-columns.ts';
import {
  type Features,
  type SelectedRows,
  shownOf,
  type TableColumn,
  type TableSort,
  useRowTable,
} from './use-row-table.ts';
import { Count } from './values.tsx';

export type { SelectedRows, TableColumn, TableSort };

interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  /** Shown if the list has no rows. */
  readonly empty: ReactNode;
  /**
   * The name under which the browser stores the chosen columns. Without it the list has neither a choice of
   * columns nor a CSV file.
   */
  readonly list?: string;
  readonly sort?: TableSort;
  /** Buttons for selected rows. Without them rows cannot be selected. */
  readonly bulkActs?: (selected: SelectedRows<Row>) => ReactNode;
  /** The name of a row, for the label of its checkbox. */
  readonly nameOf?: (row: Row) => string;
}

/**
 * Rows as a table. On a narrow screen each row is a card of two lines. Rows and cells are plain elements,
 * because Mantine's table makes React 50% slower with 50 rows, and too slow with 200.
 */
export function DataTable<Row extends object>({ rows, ...props }: DataTableProps<Row>) {
  if (!rows) return <WaitingRows />;
  if (rows.length === 0) return <>{props.empty}</>;
  return <ShownRows {...props} rows={rows} />;
}

type ShownRowsProps<Row> = Omit<DataTableProps<Row>, 'rows' | 'empty'> & { readonly rows: readonly Row[] };

function ShownRows<Row extends object>(props: ShownRowsProps<Row>) {
  const { label, columns, rows, rowKey, list, sort, bulkActs, nameOf } = props;
  const t = useText();
  const element = useRef<HTMLTableElement>(null);
  const [chosen, choose] = useKeptColumns(list);
  const shown = shownOf(columns, chosen);
  const { table, found, selected, clear } = useRowTable({ columns, rows, rowKey, shown, sort });
  const isAll = selected.length === rows.length;
  const save = () => element.current && download(`${label}.csv`, csvOf(shownCells(element.current)));
  return (
    <div className={classes['list']}>
      {list && (
        <Group gap="xs" justify="flex-end" className={classes['tools'] ?? ''}>
          <ColumnChoice columns={columns} shown={shown} onChange={choose} />
          <Button size="compact-sm" variant="subtle" onClick={save}>
            {t('table.csv')}
          </Button>
        </Group>
      )}
      <div className={classes['frame']}>
        <table ref={element} aria-label={label} className={classes['table']}>
          <thead>
            <tr>
              {bulkActs && (
                <th scope="col" data-acts data-select>
                  <Tick
                    label={t('table.selectAll')}
                    isTicked={isAll}
                    isPartly={selected.length > 0 && !isAll}
                    onChange={() => table.toggleAllRowsSelected(!isAll)}
                  />
                </th>
              )}
              {table.getHeaderGroups()[0]?.headers.map((header) => (
                <Head
                  key={header.id}
                  header={header}
                  column={columns.find(({ key }) => key === header.column.id)}
                  canSort={sort !== undefined}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {found.map((row) => (
              <tr key={row.id} aria-selected={bulkActs ? row.getIsSelected() : undefined}>
                {bulkActs && (
                  <td data-acts data-select>
                    <Tick
                      label={t('table.select', { name: nameOf?.(row.original) ?? row.id })}
                      isTicked={row.getIsSelected()}
                      onChange={row.getToggleSelectedHandler()}
                    />
                  </td>
                )}
                <Cells row={row.original} columns={columns.filter(({ key }) => shown[key])} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {bulkActs && (
        <BulkBar
          count={selected.length}
          rows={rows.length}
          onAll={() => table.toggleAllRowsSelected(true)}
          onClear={clear}
        >
          {bulkActs({ rows: selected, clear })}
        </BulkBar>
      )}
    </div>
  );
}

interface CellsProps<Row> {
  readonly row: Row;
  readonly columns: readonly TableColumn<Row>[];
}

/** The visible cells of a row. On a card the first number is beside the name. */
function Cells<Row>({ row, columns }: CellsProps<Row>) {
  const side = columns.slice(1).find(({ isNumber }) => isNumber)?.key;
  return columns.map(({ key, title, cell, value, isNumber, isActs }, place) => (
    <td
      key={key}
      data-name={place === 0 || undefined}
      data-title={title}
      data-value={value && (value(row) ?? '')}
      data-number={isNumber || undefined}
      data-acts={isActs || undefined}
      data-side={key === side || undefined}
    >
      {cell ? cell(row) : <Count of={value?.(row)} />}
    </td>
  ));
}

/** Placeholder rows: they fill a window, and each is as high as a row. */
const WAITING = ['head', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];

function WaitingRows() {
  return (
    <div className={`${classes['frame']} ${classes['waiting']}`} aria-busy="true">
      {WAITING.map((key, place) => (
        <div key={key} className={classes['bar']}>
          <Skeleton height={8} width={`${30 + ((place * 17) % 40)}%`} />
        </div>
      ))}
    </div>
  );
}

/** The page of a list, as the address of the screen has it. */
export interface PageCursors {
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  /** Rows of a page. */
  readonly size?: string | undefined;
}

const SIZES = ['25', '50', '100', '200'];
const SIZE = 50;

interface PagerProps {
  readonly page:
    | {
        readonly hasNextPage: boolean;
        readonly hasPreviousPage: boolean;
        readonly startCursor?: string | null;
        readonly endCursor?: string | null;
      }
    | undefined;
  /** Rows of a page, as the address has them. Default: 50. */
  readonly size?: string | undefined;
  readonly hasSizes?: boolean;
  readonly onMove: (cursors: PageCursors) => void;
}

/** Buttons for the previous and the next page, and a select for the rows of a page. */
export function Pager({ page, size, hasSizes = false, onMove }: PagerProps) {
  const t = useText();
  if (!page || (!page.hasNextPage && !page.hasPreviousPage && !size)) return null;
  const { hasNextPage, hasPreviousPage, startCursor, endCursor } = page;
  return (
    <Group component="nav" aria-label={t('list.pages')} justify="flex-end" gap="xs">
      {hasSizes && (
        <Group gap={4} wrap="nowrap">
          <NativeSelect
            size="xs"
            aria-label={t('list.size')}
            value={sizeOf(size, SIZE)}
            onChange={({ currentTarget: { value } }) => onMove({ size: value })}
            data={SIZES.map((value) => ({ value, label: t('list.rows', { count: Number(value) }) }))}
          />
        </Group>
      )}
      <Button
        size="xs"
        variant="default"
        disabled={!hasPreviousPage}
        onClick={() => onMove({ before: startCursor ?? undefined, size })}
      >
        {t('list.previous')}
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={!hasNextPage}
        onClick={() => onMove({ after: endCursor ?? undefined, size })}
      >
        {t('list.next')}
      </Button>
    </Group>
  );
}

const sizeOf = (size: string | undefined, otherwise: number): number =>
  size && SIZES.includes(size) ? Number(size) : otherwise;

/** The arguments of a connection for the page in the address. */
export const pageOf = ({ after, before, size }: PageCursors, otherwise = SIZE) => {
  const rows = sizeOf(size, otherwise);
  return before
    ? { last: rows, before, first: null, after: null }
    : { first: rows, after: after ?? null, last: null, before: null };
};

interface HeadProps<Row extends object> {
  readonly header: Header<Features, Row, unknown>;
  readonly column: TableColumn<Row> | undefined;
  /** Can the order of the list be chosen? */
  readonly canSort: boolean;
}

/** The head of a column. It is a button if the graph can sort by this column. */
function Head<Row extends object>({ header, column, canSort }: HeadProps<Row>) {
  if (!column) return null;
  const { title, isNumber, isActs, sorts } = column;
  const common = {
    scope: 'col',
    'data-number': isNumber || undefined,
    'data-acts': isActs || undefined,
  } as const;
  if (!sorts || !canSort) return <th {...common}>{title}</th>;
  const direction = header.column.getIsSorted();
  const Icon = { asc: IconArrowUp, desc: IconArrowDown, none: IconSelector }[direction || 'none'];
  return (
    <th {...common} aria-sort={SORTED[direction || 'none']}>
      <button type="button" className={classes['sort']} onClick={() => header.column.toggleSorting()}>
        {title}
        <Icon size={12} aria-hidden="true" />
      </button>
    </th>
  );
}

const SORTED = { asc: 'ascending', desc: 'descending', none: 'none' } as const;

interface TickProps {
  readonly label: string;
  readonly isTicked: boolean;
  readonly isPartly?: boolean;
  readonly onChange: (event: unknown) => void;
}

/** A native checkbox. Mantine's has six elements, too many for long lists. */
function Tick({ label, isTicked, isPartly = false, onChange }: TickProps) {
  return (
    <input
      type="checkbox"
      className={classes['tick']}
      aria-label={label}
      checked={isTicked}
      ref={(element) => {
        if (element) element.indeterminate = isPartly;
      }}
      onChange={onChange}
    />
  );
}

interface BulkBarProps {
  readonly count: number;
  /** Rows of the page. */
  readonly rows: number;
  readonly onAll: () => void;
  readonly onClear: () => void;
  /** Buttons for the selected rows. */
  readonly children: ReactNode;
}

/** The number of selected rows and the buttons for them. It stays at the bottom of the screen. */
function BulkBar({ count, rows, onAll, onClear, children }: BulkBarProps) {
  const t = useText();
  const said = count > 0 ? t('table.selected', { count }) : '';
  return (
    <>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      {count > 0 && (
        <Group role="region" aria-label={t('table.selection')} gap="xs" className={classes['bulk'] ?? ''}>
          <Text size="sm" fw={500}>
            {said}
          </Text>
          {count < rows && (
            <Button size="compact-sm" variant="subtle" onClick={onAll}>
              {t('table.selectRows', { count: rows })}
            </Button>
          )}
          <Group gap="xs" className={classes['bulkActs'] ?? ''}>
            {children}
            <Button size="compact-sm" variant="subtle" onClick={onClear}>
              {t('table.clear')}
            </Button>
          </Group>
        </Group>
      )}
    </>
  );
}

interface ColumnChoiceProps {
  readonly columns: readonly {
    readonly key: string;
    readonly title: string;
    readonly isActs?: boolean;
  }[];
  readonly shown: ShownColumns;
  readonly onChange: (shown: ShownColumns) => void;
}

/** Chooses the visible columns. The first column names the row and is always visible. */
function ColumnChoice({ columns, shown, onChange }: ColumnChoiceProps) {
  const t = useText();
  const free = columns.slice(1).filter(({ isActs }) => !isActs);
  const choose = (key: string, isShown: boolean) =>
    onChange({ ...Object.fromEntries(free.map((each) => [each.key, shown[each.key]!])), [key]: isShown });
  return (
    <Popover position="bottom-end" trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button size="compact-sm" variant="subtle">
          {t('table.columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('table.columns')}>
        <Stack gap="xs">
          {free.map(({ key, title }) => (
            <Checkbox
              key={key}
              label={title}
              checked={shown[key] ?? false}
              onChange={({ currentTarget: { checked } }) => choose(key, checked)}
            />
          ))}
          <Button size="compact-sm" variant="default" onClick={() => onChange({})}>
            {t('table.reset')}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
