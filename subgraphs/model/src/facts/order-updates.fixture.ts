import type { Context } from '@loyalty/platform/context';
import { csv, imported, importedMembers, orderHeader } from '../imports/data-imports.fixture.ts';

const header = 'external_id,order_id,status,amount,currency,occurred_at';

/** Returns a file of corrections. */
export const updates = (...lines: string[]) => csv('ORDER_UPDATES', header, ...lines);

/**
 * Creates members `m1` and `m2`, and paid orders of `m1` of 30 EUR: `o1` of 5 January, `o2` of the 15th and
 * so on.
 */
export async function paidOrders(ctx: Context, count = 4): Promise<string> {
  const { m1 } = await importedMembers(ctx);
  const lines = Array.from({ length: count }, (_, at) => {
    const day = new Date(Date.UTC(2026, 0, 5 + 10 * (at % 5), 10)).toISOString();
    return `o${at + 1},m1,${day},30,EUR,paid`;
  });
  await imported(ctx, csv('ORDERS', orderHeader, ...lines));
  return m1!;
}

/** Returns the status and the amount of an order's latest fact. */
export async function orderNow(ctx: Context, order = 'o1'): Promise<[status: string, amountMinor: bigint]> {
  const [row] = await ctx.sql.query<{ status: string; amountMinor: bigint }>(
    `SELECT f.status, f.amount_minor
       FROM model.fact_ids AS i
       JOIN model.order_facts AS f USING (workspace_id, mode, order_id)
      WHERE i.workspace_id = $1 AND i.mode = $2::platform."Mode" AND i.kind = 'ORDERS' AND i.external_id = $3
      ORDER BY f.recorded_at DESC, f.id DESC LIMIT 1`,
    [ctx.scope.workspaceId, ctx.scope.mode, order],
  );
  return [row!.status, row!.amountMinor];
}

/** Returns the numbers of order facts and of stored corrections. */
export async function keptRows(ctx: Context): Promise<[facts: number, updates: number]> {
  const [row] = await ctx.sql.query<{ facts: number; updates: number }>(
    `SELECT (SELECT count(*)::int FROM model.order_facts WHERE workspace_id = $1) AS facts,
            (SELECT count(*)::int FROM model.order_updates WHERE workspace_id = $1) AS updates`,
    [ctx.scope.workspaceId],
  );
  return [row!.facts, row!.updates];
}
