import { inScope } from '@loyalty/platform/database/scope-sql';

/** Every statement about coupons is bound to workspace, mode and the time: $1, $2 and $3. */
export const scoped = inScope('c');

/**
 * The columns of a coupon `c` of a pool `p`; the status also reflects whether all codes of the pool were
 * voided.
 */
export const couponColumns = `c.id, c.code, c.pool_id,
  CASE WHEN p.codes_voided_at IS NOT NULL AND c.status <> 'REDEEMED' THEN 'VOID'
       WHEN c.held_until <= $3::timestamptz THEN 'AVAILABLE'
       ELSE c.status END::text AS status, p.coupons_expire_at AS expires_at, c.member_id, c.capture_id,
  c.reservation_id, c.held_until, c.issued_at,
  CASE WHEN c.status <> 'REDEEMED' THEN coalesce(c.voided_at, p.codes_voided_at) END AS voided_at,
  c.redeemed_at, c.redeemed_store_id, c.created_at`;

/** A relation of coupons joined with their pools, `c` and `p`. */
export const couponsOf = (relation: string): string =>
  `${relation} AS c JOIN loyalty.coupon_pools AS p ON p.workspace_id = c.workspace_id AND p.id = c.pool_id`;

/** Condition that the codes of a coupon's pool can still be used. */
export const usablePool = `p.codes_voided_at IS NULL
  AND (p.coupons_expire_at IS NULL OR p.coupons_expire_at > $3::timestamptz)`;

/**
 * Returns one statement that locks the coupons of a condition in their latest version, changes them, counts
 * the change and returns them.
 *
 * @param where - on coupons `c`, with order and locking if they matter
 * @param set - the change, including the new status
 */
export const moveCoupons = (where: string, set: string, locking = 'FOR UPDATE OF c'): string => `

WITH before AS MATERIALIZED (
  SELECT c.workspace_id, c.mode, c.id, c.status FROM loyalty.coupons AS c WHERE ${where} ${locking}
), moved AS (
  UPDATE loyalty.coupons AS c SET ${set}
    FROM before
   WHERE c.workspace_id = before.workspace_id AND c.mode = before.mode AND c.id = before.id
  RETURNING c.*, before.status AS from_status, c.status AS to_status
), counted AS (${countMoves('moved')})

SELECT ${couponColumns} FROM ${couponsOf('moved')}`;

/** Rows over which the counts of a pool are distributed; each change takes a random one, so that few wait. */
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
 * Returns SQL that updates the counts of pools for changed coupons. It is the last part of the statement that
 * changes them, so that its locks are taken last, and always in the order of pools.
 *
 * @param moved - name of the relation that holds workspace_id, mode, pool_id, from_status (null for new
 *   codes) and to_status of every changed coupon
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
