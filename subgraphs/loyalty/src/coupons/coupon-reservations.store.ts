import type { Context } from '@loyalty/platform/context';
import { couponColumns, couponsOf, moveCoupons, scoped } from './coupon-sql.ts';
import type { Coupon } from './coupons.store.ts';

const bound = ({ scope, clock }: Context) => [scope.workspaceId, scope.mode, clock.now()] as const;

const CONFIRM = moveCoupons(
  `${scoped} AND c.reservation_id = $4 AND c.status = 'HELD' AND c.held_until > $3::timestamptz`,
  `status = 'ISSUED', held_until = NULL, issued_at = $3`,
);

/** Returns null if the reservation no longer holds a code, or never did. */
export async function issueHeld(tx: Context, reservationId: string): Promise<Coupon | null> {
  const [row] = await tx.sql.query<Coupon>(CONFIRM, [...bound(tx), reservationId]);
  return row ?? null;
}

const RETURNED = `status = 'AVAILABLE', held_until = NULL, reservation_id = NULL, member_id = NULL`;
const RELEASE = moveCoupons(`${scoped} AND c.reservation_id = $4 AND c.status = 'HELD'`, RETURNED);

/** Returns null if the reservation holds no code. */
export async function returnHeld(tx: Context, reservationId: string): Promise<Coupon | null> {
  const [row] = await tx.sql.query<Coupon>(RELEASE, [...bound(tx), reservationId]);
  return row ?? null;
}

export async function findReserved(ctx: Context, reservationId: string): Promise<Coupon | null> {
  const [row] = await ctx.sql.query<Coupon>(
    `SELECT ${couponColumns} FROM ${couponsOf('loyalty.coupons')} WHERE ${scoped} AND c.reservation_id = $4`,
    [...bound(ctx), reservationId],
  );
  return row ?? null;
}

/** The only statement here that is not bound to a workspace: it returns codes of all. */
const EXPIRE = `/* every workspace */ ${moveCoupons(
  `$1::uuid IS NULL AND $2::text IS NULL AND c.held_until <= $3::timestamptz ORDER BY c.held_until LIMIT $4`,
  RETURNED,
  'FOR UPDATE OF c SKIP LOCKED',
)}`;

/** Returns overdue codes of all workspaces to their pools. @returns the number of codes */
export async function returnOverdue(ctx: Context, limit: number): Promise<number> {
  const rows = await ctx.sql.query(EXPIRE, [null, null, ctx.clock.now(), limit]);
  return rows.length;
}
