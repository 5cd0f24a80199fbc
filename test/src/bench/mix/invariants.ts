import type pg from 'pg';
import { differingCounts } from '../../harness/row-counts.ts';

/** Invariants that must hold after any requests; each statement finds the rows that break one. */
const broken = {
  'a balance is the sum of its ledger': `
    SELECT m.id FROM loyalty.members AS m
      LEFT JOIN loyalty.points_entries AS e
        ON (e.workspace_id, e.mode, e.member_id) = (m.workspace_id, m.mode, m.id)
     GROUP BY m.workspace_id, m.mode, m.id, m.points_balance
    HAVING m.points_balance <> coalesce(sum(e.amount), 0)`,
  'every entry follows the one before': `
    SELECT 1 FROM (
      SELECT balance_after, amount, lag(balance_after, 1, 0) OVER w AS before, sequence,
             row_number() OVER w AS place
        FROM loyalty.points_entries
      WINDOW w AS (PARTITION BY workspace_id, mode, member_id ORDER BY sequence)) AS e
     WHERE balance_after <> before + amount OR balance_after < 0 OR sequence <> place`,
  'codes are counted as they are': `
    SELECT 1 FROM (
      SELECT pool_id, sum(available) AS available, sum(issued) AS issued, sum(redeemed) AS redeemed
        FROM loyalty.coupon_counts GROUP BY pool_id) AS kept
      JOIN (SELECT pool_id, count(*) FILTER (WHERE status = 'AVAILABLE') AS available,
                   count(*) FILTER (WHERE status = 'ISSUED') AS issued,
                   count(*) FILTER (WHERE status = 'REDEEMED') AS redeemed
              FROM loyalty.coupons GROUP BY pool_id) AS counted USING (pool_id)
     WHERE (kept.available, kept.issued, kept.redeemed)
           IS DISTINCT FROM (counted.available, counted.issued, counted.redeemed)`,
  ...differingCounts,
  'an order has the sum of its refunds': `
    SELECT o.id FROM commerce.orders AS o
      LEFT JOIN commerce.refunds AS r ON (r.workspace_id, r.mode, r.order_id) = (o.workspace_id, o.mode, o.id)
     GROUP BY o.workspace_id, o.mode, o.id, o.refunded_minor, o.total_minor
    HAVING o.refunded_minor <> coalesce(sum(r.amount_minor), 0) OR o.refunded_minor > o.total_minor`,
  'every delivery has arrived': "SELECT id FROM engagement.webhook_deliveries WHERE status <> 'DELIVERED'",
  'credits are the sum of their ledger': `
    SELECT w.workspace_id FROM model.wallets AS w
      LEFT JOIN model.credit_entries AS e ON e.workspace_id = w.workspace_id AND e.account = 'WALLET'
     GROUP BY w.workspace_id, w.balance
    HAVING w.balance <> coalesce(sum(e.amount), 0) OR w.balance < 0`,
} as const;

/** The names of the invariants that do not hold, with the number of rows that break them. */
export async function brokenInvariants(client: pg.Client): Promise<string[]> {
  const found: string[] = [];
  for (const [name, text] of Object.entries(broken)) {
    const { rowCount } = await client.query(text);
    if (rowCount) found.push(`${name}: ${rowCount} rows do not`);
  }
  return found;
}
