import type { Context } from '@loyalty/platform/context';
import { newId } from '@loyalty/platform/values/ids';
import type { TransactionSql } from '@loyalty/prisma/client';
import type { FactKind, Facts, OrderFact } from '../facts/fact.ts';
import { ABSENT, escaped } from './copy-text.ts';

/** A fact as it is stored: an order has an id, and the moment from which it holds. */
export type StoredFact<Kind extends FactKind> = Kind extends 'ORDERS'
  ? OrderFact & { readonly orderId: string; readonly recordedAt: Date }
  : Facts[Kind];

interface Table<Kind extends FactKind> {
  readonly name: string;
  readonly columns: string;
  readonly cells: (fact: StoredFact<Kind>) => readonly string[];
}

const tables: { readonly [Kind in FactKind]: Table<Kind> } = {
  ORDERS: {
    name: 'order_facts',
    columns: 'order_id, amount_minor, currency, status, recorded_at',
    cells: ({ orderId, amountMinor, currency, status, recordedAt }) => [
      orderId,
      String(amountMinor),
      currency,
      status,
      recordedAt.toISOString(),
    ],
  },
  EVENTS: {
    name: 'event_facts',
    columns: 'type, item_id, value',
    cells: ({ type, itemId, value }) => [
      escaped(type),
      itemId === null ? ABSENT : escaped(itemId),
      value === null ? ABSENT : String(value),
    ],
  },
  ORDER_LINES: {
    name: 'order_line_facts',
    columns: 'order_id, item_id, quantity, unit_price_minor',
    cells: ({ orderId, itemId, quantity, unitPriceMinor }) => [
      orderId,
      escaped(itemId),
      String(quantity),
      unitPriceMinor === null ? ABSENT : String(unitPriceMinor),
    ],
  },
  CHANNEL_RECEIPTS: {
    name: 'channel_receipt_facts',
    columns: 'channel, message_id, status',
    cells: ({ channel, messageId, status }) => [escaped(channel), escaped(messageId), status],
  },
};

/** Writes facts by COPY, which for a partitioned table takes half of an INSERT's time. */
export async function copyFacts<Kind extends FactKind>(
  tx: Context,
  kind: Kind,
  facts: readonly StoredFact<Kind>[],
): Promise<void> {
  const { workspaceId, mode } = tx.scope;
  const { name, columns, cells } = tables[kind];
  const scope = `${workspaceId}\t${mode}`;
  // In the order of the index, so that it is filled leaf by leaf.
  const sorted = (facts as readonly (StoredFact<Kind> & Facts[FactKind])[]).toSorted(byMemberAndTime);
  const lines = sorted.map((fact) => {
    const { memberId, occurredAt } = fact as Facts[FactKind];
    const at = occurredAt.toISOString();
    return `${scope}\t${memberId}\t${at}\t${newId(tx.clock)}\t${cells(fact).join('\t')}\n`;
  });
  await (tx.sql as TransactionSql).copyIn(
    `COPY model.${name} (workspace_id, mode, member_id, occurred_at, id, ${columns}) FROM STDIN`,
    lines.join(''),
  );
}

function byMemberAndTime(a: Facts[FactKind], b: Facts[FactKind]): number {
  if (a.memberId === b.memberId) return Number(a.occurredAt) - Number(b.occurredAt);
  return a.memberId < b.memberId ? -1 : 1;
}
