/** The counts of a pool are spread over so many rows; each change takes a random one, so that few wait. */
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
 * SQL that counts the coupons that changed in their pools. It is the last part of the statement that changed
 * them, so that its locks are taken last, and always in the order of pools.
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
