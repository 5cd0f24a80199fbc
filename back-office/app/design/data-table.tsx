import { Button, Group, Skeleton, Table } from '@mantine/core';
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

/** Rows as a table; on a narrow screen each row is a card. */
export function DataTable<Row>({ label, columns, rows, rowKey, empty }: DataTableProps<Row>) {
  if (!rows) return <Skeleton height={320} className={classes['waiting'] ?? ''} aria-busy />;
  if (rows.length === 0) return <>{empty}</>;
  return (
    <Table aria-label={label} className={classes['table'] ?? ''} verticalSpacing="xs" highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          {columns.map(({ key, title, isNumber }) => (
            <Table.Th key={key} ta={isNumber ? 'right' : 'left'}>
              {title}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={rowKey(row)}>
            {columns.map(({ key, title, cell, isNumber }) => (
              <Table.Td key={key} data-title={title} ta={isNumber ? 'right' : 'left'}>
                {cell(row)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
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
    <Group component="nav" aria-label={t('list.pages')} justify="flex-end" mt="md">
      <Button
        variant="default"
        disabled={!hasPreviousPage}
        onClick={() => onMove({ before: startCursor ?? undefined })}
      >
        {t('list.previous')}
      </Button>
      <Button
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
