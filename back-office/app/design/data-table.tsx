import { Button, Group, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../messages/text.ts';
import classes from './data-table.module.css';

export interface TableColumn<Row> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
}

interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  /** Shown where there are no rows. */
  readonly empty: ReactNode;
}

/**
 * Rows as a table; on a narrow screen each row is a card of two lines. Rows and cells are plain elements:
 * with those of the kit, React works half as long again on a list of 50.
 */
export function DataTable<Row>({ label, columns, rows, rowKey, empty }: DataTableProps<Row>) {
  if (!rows) return <WaitingRows />;
  if (rows.length === 0) return <>{empty}</>;
  const side = columns.slice(1).find(({ isNumber }) => isNumber)?.key;
  return (
    <div className={classes['frame']}>
      <table aria-label={label} className={classes['table']}>
        <thead>
          <tr>
            {columns.map(({ key, title, isNumber }) => (
              <th key={key} scope="col" data-number={isNumber || undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ key, title, cell, isNumber }) => (
                <td
                  key={key}
                  data-title={title}
                  data-number={isNumber || undefined}
                  data-side={key === side || undefined}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** As many as a window shows; each as high as the row that takes its place. */
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

export interface PageCursors {
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

interface PagerProps {
  readonly page:
    | {
        readonly hasNextPage: boolean;
        readonly hasPreviousPage: boolean;
        readonly startCursor?: string | null;
        readonly endCursor?: string | null;
      }
    | undefined;
  readonly onMove: (cursors: PageCursors) => void;
}

/** Leads to the pages before and after. */
export function Pager({ page, onMove }: PagerProps) {
  const t = useText();
  if (!page || (!page.hasNextPage && !page.hasPreviousPage)) return null;
  const { hasNextPage, hasPreviousPage, startCursor, endCursor } = page;
  return (
    <Group component="nav" aria-label={t('list.pages')} justify="flex-end" gap="xs">
      <Button
        size="xs"
        variant="default"
        disabled={!hasPreviousPage}
        onClick={() => onMove({ before: startCursor ?? undefined })}
      >
        {t('list.previous')}
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={!hasNextPage}
        onClick={() => onMove({ after: endCursor ?? undefined })}
      >
        {t('list.next')}
      </Button>
    </Group>
  );
}

/** Arguments of a connection for the place that the address names. */
export const pageOf = ({ after, before }: PageCursors, size = 50) =>
  before
    ? { last: size, before, first: null, after: null }
    : { first: size, after: after ?? null, last: null, before: null };
