import type { Context } from '@loyalty/platform/context';
import { newId } from '@loyalty/platform/values/ids';
import { binaryRows, type RowCells } from '@loyalty/prisma/binary-rows';
import type { TransactionSql } from '@loyalty/prisma/client';
import type { FactKind, Facts, OrderFact } from '../facts/fact.ts';

/** A fact as it is stored: an order has an id, and the moment from which it holds. */
export type StoredFact<Kind extends FactKind> = Kind extends 'ORDERS'
  ? OrderFact & { readonly orderId: string; readonly recordedAt: Date }
  : Facts[Kind];

interface Table<Kind extends FactKind> {
  readonly name: string;
  readonly columns: readonly string[];
  /** Writes a cell for each of the columns. */
  readonly write: (cells: RowCells, fact: StoredFact<Kind>) => void;
}

const tables: { readonly [Kind in FactKind]: Table<Kind> } = {
  ORDERS: {
    name: 'order_facts',
    columns: ['order_id', 'amount_minor', 'currency', 'status', 'recorded_at'],
    write(cells, { orderId, amountMinor, currency, status, recordedAt }) {
      cells.uuid(orderId);
      cells.bigint(amountMinor);
      cells.text(currency);
      cells.text(status);
      cells.timestamp(recordedAt);
    },
  },
  EVENTS: {
    name: 'event_facts',
    columns: ['type', 'item_id', 'value'],
    write(cells, { type, itemId, value }) {
      cells.text(type);
      cells.text(itemId);
      cells.float(value);
    },
  },
  ORDER_LINES: {
    name: 'order_line_facts',
    columns: ['order_id', 'item_id', 'quantity', 'unit_price_minor'],
    write(cells, { orderId, itemId, quantity, unitPriceMinor }) {
      cells.uuid(orderId);
      cells.text(itemId);
      cells.float(quantity);
      cells.bigint(unitPriceMinor);
    },
  },
  CHANNEL_RECEIPTS: {
    name: 'channel_receipt_facts',
    columns: ['channel', 'message_id', 'status'],
    write(cells, { channel, messageId, status }) {
      cells.text(channel);
      cells.text(messageId);
      cells.text(status);
    },
  },
};

/** Columns of every fact. */
const COLUMNS = ['workspace_id', 'mode', 'member_id', 'occurred_at', 'id'];

/** Writes facts by COPY, which for a partitioned table takes half of an INSERT's time. */
export async function copyFacts<Kind extends FactKind>(
  tx: Context,
  kind: Kind,
  facts: readonly StoredFact<Kind>[],
): Promise<void> {
  const { workspaceId, mode } = tx.scope;
  const { name, write, ...table } = tables[kind];
  const columns = [...COLUMNS, ...table.columns];
  // In the order of the index, so that it is filled leaf by leaf.
  const sorted = (facts as readonly (StoredFact<Kind> & Facts[FactKind])[]).toSorted(byMemberAndTime);
  const rows = binaryRows(columns.length, sorted, (cells, fact) => {
    cells.uuid(workspaceId);
    cells.text(mode);
    cells.uuid(fact.memberId);
    cells.timestamp(fact.occurredAt);
    cells.uuid(newId(tx.clock));
    write(cells, fact);
  });
  await (tx.sql as TransactionSql).copyIn(
    `COPY model.${name} (${columns.join(', ')}) FROM STDIN (FORMAT binary)`,
    rows,
  );
}

function byMemberAndTime(a: Facts[FactKind], b: Facts[FactKind]): number {
  if (a.memberId === b.memberId) return Number(a.occurredAt) - Number(b.occurredAt);
  return a.memberId < b.memberId ? -1 : 1;
}
