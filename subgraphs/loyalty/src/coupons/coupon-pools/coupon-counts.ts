/** Rows that the counts of a pool are spread over; each change takes one of them at random. */
const STRIPES = 16;

const statuses = [
  ['available', 'AVAILABLE'],
  ['held', 'HELD'],
  ['issued', 'ISSUED'],
  ['redeemed', 'REDEEMED'],
  ['voided', 'VOID'],
] as const;

const columns = statuses.map(([column]) => column).join(', ');

const became = (status: string): string => `count(*) FILTER (WHERE m.to_status = '${status}')`;
const left = (status: string): string => `count(*) FILTER (WHERE m.from_status = '${status}')`;
const changes = statuses.map(([, status]) => `${became(status)} - ${left(status)}`).join(', ');
const sums = statuses.map(([column]) => `${column} = k.${column} + excluded.${column}`).join(', ');

/**
 * SQL that keeps the counts of pools in step with coupons that changed: the last part of the very statement
 * that changed them, so that its locks are taken last and pools come in one order.
 *
 * @param moved - name of the relation that holds workspace_id, mode, pool_id, from_status (null for new
 *   codes) and to_status of every coupon that changed
 */
export const countMoves = (moved: string): string => `
  INSERT INTO loyalty.coupon_counts AS k (workspace_id, mode, pool_id, stripe, ${columns})
  SELECT m.workspace_id, m.mode, m.pool_id, floor(random() * ${STRIPES})::int,
         ${changes}
    FROM ${moved} AS m
   GROUP BY m.workspace_id, m.mode, m.pool_id
   ORDER BY m.workspace_id, m.mode, m.pool_id
  ON CONFLICT (workspace_id, mode, pool_id, stripe) DO UPDATE
     SET ${sums}`;
