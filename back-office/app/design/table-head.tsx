import IconArrowDown from '@tabler/icons-react/icons/IconArrowDown';
import IconArrowUp from '@tabler/icons-react/icons/IconArrowUp';
import IconSelector from '@tabler/icons-react/icons/IconSelector';
import type { Header } from '@tanstack/react-table';
import classes from './data-table.module.css';
import type { TableColumn } from './table-column.ts';
import type { Features } from './use-row-table.ts';

interface HeadProps<Row extends object> {
  readonly header: Header<Features, Row, unknown>;
  readonly column: TableColumn<Row> | undefined;
  /** Does the list have an order that can be chosen? */
  readonly canSort: boolean;
}

/** The head of a column; where the graph sorts by it, a button. */
export function Head<Row extends object>({ header, column, canSort }: HeadProps<Row>) {
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
