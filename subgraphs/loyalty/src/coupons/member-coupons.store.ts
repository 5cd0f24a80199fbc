import type { Context } from '@loyalty/platform/context';
import { rowsOf } from '@loyalty/platform/database/array-parameters';
import { loader } from '@loyalty/platform/database/loaders';
import { type Placed, pageLoader } from '@loyalty/platform/database/page-loader';
import { inScope } from '@loyalty/platform/database/scope-sql';
import { couponColumns, couponsOf, usablePool } from './coupon-sql.ts';
import type { Coupon } from './coupons.store.ts';

const params = ({ scope, clock }: Context) => [scope.workspaceId, scope.mode, clock.now()] as const;

/**
 * Coupons `c` of the member `w.member_id` with their pools `p`. Captures with the member's address are found
 * by the address itself, so that captures count that no job has linked yet.
 */
const ofMember = couponsOf(`(
    SELECT own.* FROM loyalty.coupons AS own
     WHERE ${inScope('own')} AND own.member_id = w.member_id
     UNION ALL
    SELECT given.*
      FROM (SELECT id FROM loyalty.captures
             WHERE ${inScope()} AND member_id = w.member_id
             UNION
            SELECT l.id
              FROM loyalty.captures AS l JOIN loyalty.members AS m USING (workspace_id, mode, email_index)
             WHERE ${inScope('l')} AND m.id = w.member_id) AS capture
      JOIN loyalty.coupons AS given
        ON ${inScope('given')} AND given.capture_id = capture.id)`);

const redeemable = `${ofMember} WHERE c.status = 'ISSUED' AND ${usablePool}`;
/** Without coupons that were only held for the member; `$3` is bound in every statement here. */
const everIssued = `${ofMember}
  WHERE (c.issued_at IS NOT NULL OR c.status = 'REDEEMED') AND $3::timestamptz IS NOT NULL`;

/** Loads a page of the coupons of each member; one statement for many members. */
const pageOf = (coupons: string) =>
  pageLoader<string, Coupon>((ctx, wanted) => {
    const { owners, limits, cursorIds, order, beyond } = wanted;
    return ctx.sql.query<Placed<Coupon>>(
      `SELECT w.place, found.*
         FROM ${rowsOf('$4::uuid[], $5::int[], $6::uuid[]')}
           WITH ORDINALITY AS w(member_id, rows, cursor_id, place)
        CROSS JOIN LATERAL (
          SELECT ${couponColumns} FROM ${coupons} AND (w.cursor_id IS NULL OR c.id ${beyond} w.cursor_id)
           ORDER BY c.id ${order} LIMIT w.rows) AS found
        ORDER BY w.place, found.id ${order}`,
      [...params(ctx), owners, limits, cursorIds],
    );
  });

const countOf = (coupons: string) =>
  loader(async (ctx, memberIds: readonly string[]) => {
    const rows = await ctx.sql.query<{ memberId: string; total: number }>(
      `SELECT w.member_id, found.total
         FROM ${rowsOf('$4::uuid[]')} AS w(member_id)
        CROSS JOIN LATERAL (SELECT count(*)::int AS total FROM ${coupons}) AS found`,
      [...params(ctx), memberIds],
    );
    return new Map(rows.map(({ memberId, total }) => [memberId, total]));
  });

/** Loads coupons that a member can redeem. */
export const memberCoupons = pageOf(redeemable);
export const couponCountByMember = countOf(redeemable);
/** Loads all coupons that were ever issued to a member. */
export const couponHistory = pageOf(everIssued);
export const couponHistoryCountByMember = countOf(everIssued);
