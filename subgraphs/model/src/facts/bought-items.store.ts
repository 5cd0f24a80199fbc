import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { arraysOf, rowsOf } from '@loyalty/platform/database/array-parameters';
import { scopeOf } from '@loyalty/platform/database/scope-sql';
import type { TransactionSql } from '@loyalty/prisma/client';
import { binaryRows } from '@loyalty/prisma/copy/binary-rows';

/** The items of an order, or of one day of a member's purchase events, that are not counted yet. */
export interface UncountedBasket {
  readonly memberId: string;
  /** Null if the items come from events. */
  readonly orderId: string | null;
  readonly occurredAt: Date;
  /** Empty if the order was corrected. */
  readonly itemIds: readonly string[];
}

/** Baskets that one INSERT writes. More are copied: COPY is faster, but takes two more round trips. */
const FEW = 100;

export const addUncounted = (tx: Context, baskets: readonly UncountedBasket[]): Promise<void> =>
  baskets.length <= FEW ? insertUncounted(tx, baskets) : copyUncounted(tx, baskets);

async function insertUncounted(tx: Context, baskets: readonly UncountedBasket[]): Promise<void> {
  await tx.sql.query(
    `INSERT INTO model.uncounted_baskets
       (workspace_id, mode, member_id, id, order_id, occurred_at, item_ids)
     SELECT $1, $2::platform."Mode", b.*
       FROM ${rowsOf('$3::uuid[], $4::uuid[], $5::uuid[], $6::timestamptz[], $7::jsonb[]')} AS b`,
    [
      ...scopeOf(tx),
      baskets.map(({ memberId }) => memberId),
      baskets.map(() => newId(tx.clock)),
      ...arraysOf(baskets, 'orderId', 'occurredAt'),
      baskets.map(({ itemIds }) => JSON.stringify(itemIds)),
    ],
  );
}

async function copyUncounted(tx: Context, baskets: readonly UncountedBasket[]): Promise<void> {
  const { workspaceId, mode } = tx.scope;
  // Sorted like the index, so that the index is filled leaf by leaf.
  const sorted = baskets.toSorted((a, b) => (a.memberId < b.memberId ? -1 : 1));
  const rows = binaryRows(7, sorted, (cells, { memberId, orderId, occurredAt, itemIds }) => {
    cells.uuid(workspaceId);
    cells.text(mode);
    cells.uuid(memberId);
    cells.uuid(newId(tx.clock));
    cells.uuid(orderId);
    cells.timestamp(occurredAt);
    cells.json(JSON.stringify(itemIds));
  });
  await (tx.sql as TransactionSql).copyIn(
    `COPY model.uncounted_baskets (workspace_id, mode, member_id, id, order_id, occurred_at, item_ids)
       FROM STDIN (FORMAT binary)`,
    rows,
  );
}
