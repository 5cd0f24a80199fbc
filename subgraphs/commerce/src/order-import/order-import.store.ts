import type { Context } from '@loyalty/platform/context';
import { newId } from '@loyalty/platform/ids';
import type { Import } from '@loyalty/platform/imports/imports.store';
import type { OrderRow } from './order-import.rows.ts';

export interface OrderToWrite extends Omit<OrderRow, 'memberEmail' | 'memberExternalId'> {
  /** SHA-256 as hex. */
  readonly fingerprint: string;
}

/** Ids of every store of the workspace; there are few. */
export async function knownStores(ctx: Context): Promise<ReadonlySet<string>> {
  const rows = await ctx.sql.query<{ id: string }>('SELECT id FROM commerce.stores WHERE workspace_id = $1', [
    ctx.scope.workspaceId,
  ]);
  return new Set(rows.map(({ id }) => id));
}

/** Writes orders in one statement. Ids are to be distinct. */
export async function upsertOrders(
  tx: Context,
  job: Pick<Import, 'id' | 'onDuplicate'>,
  orders: readonly OrderToWrite[],
): Promise<{ readonly inserted: number; readonly updated: number }> {
  const rows = orders.map((order) => ({ ...order, id: newId(tx.clock) }));
  const column = (of: (order: (typeof rows)[number]) => string | null) => joined(rows.map(of));
  const [counted] = await tx.sql.query<{ inserted: number; updated: number }>(UPSERT, [
    tx.scope.workspaceId,
    tx.scope.mode,
    job.id,
    tx.clock.now(),
    job.onDuplicate === 'UPDATE',
    column(({ id }) => id),
    column(({ externalOrderId }) => externalOrderId),
    column(({ memberId }) => memberId),
    column(({ storeId }) => storeId),
    column(({ status }) => status),
    column(({ currency }) => currency),
    column(({ totalMinor }) => totalMinor),
    column(({ subtotalMinor }) => subtotalMinor),
    column(({ discountMinor }) => discountMinor),
    column(({ taxMinor }) => taxMinor),
    column(({ shippingMinor }) => shippingMinor),
    column(({ items }) => items),
    column(({ fingerprint }) => fingerprint),
    column(({ occurredAt }) => occurredAt),
  ]);
  return counted!;
}

/**
 * One text per column costs a fraction of an array parameter, which the driver would quote cell by cell. No
 * cell holds the separator, a control character, and none begins with one, so that it can stand for NULL.
 */
const SEPARATOR = '\u001F';
const ABSENT = '\u001E';
const joined = (cells: readonly (string | null)[]): string =>
  cells.map((cell) => cell ?? ABSENT).join(SEPARATOR);
const unjoined = (parameter: number): string => `string_to_array($${parameter}::text, E'\\x1f', E'\\x1e')`;

const UPSERT = `
  WITH written AS (
    INSERT INTO commerce.orders AS o
      (workspace_id, mode, import_id, created_at, updated_at, id, external_order_id, member_id, store_id, status,
       currency, total_minor, subtotal_minor, discount_minor, tax_minor, shipping_minor, items, fingerprint,
       occurred_at)
    SELECT $1::uuid, $2::platform."Mode", $3::uuid, $4::timestamptz, $4::timestamptz, e.id::uuid,
           e.external_order_id, e.member_id::uuid, e.store_id::uuid, e.status::commerce."OrderStatus", e.currency,
           e.total::bigint, e.subtotal::bigint, e.discount::bigint, e.tax::bigint, e.shipping::bigint,
           e.items::jsonb, decode(e.fingerprint, 'hex'), e.occurred_at::timestamptz
      FROM unnest(${Array.from({ length: 14 }, (_, index) => unjoined(index + 6)).join(', ')})
             AS e(id, external_order_id, member_id, store_id, status, currency, total, subtotal, discount, tax,
                  shipping, items, fingerprint, occurred_at)
    ON CONFLICT (workspace_id, mode, external_order_id) DO UPDATE
       SET member_id = excluded.member_id, store_id = excluded.store_id, status = excluded.status,
           currency = excluded.currency, total_minor = excluded.total_minor,
           subtotal_minor = excluded.subtotal_minor, discount_minor = excluded.discount_minor,
           tax_minor = excluded.tax_minor, shipping_minor = excluded.shipping_minor, items = excluded.items,
           fingerprint = excluded.fingerprint, import_id = excluded.import_id,
           occurred_at = excluded.occurred_at, updated_at = excluded.updated_at
     WHERE $5 AND o.fingerprint <> excluded.fingerprint
    RETURNING (xmax = 0) AS is_new)
  SELECT count(*) FILTER (WHERE is_new)::int AS inserted, count(*) FILTER (WHERE NOT is_new)::int AS updated
    FROM written`;
