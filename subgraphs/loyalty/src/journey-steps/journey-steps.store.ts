import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { JourneyStepEntryInput } from '#generated/schema';
import { moveCoupons, scoped } from '../coupons/coupon-sql.ts';
import type { Coupon } from '../coupons/coupons.service.ts';

/** Returns the statuses of members; unknown ones are absent. The caller has locked their rows. */
export async function statusesOf(
  ctx: Context,
  memberIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await ctx.sql.query<{ id: string; status: string }>(
    `SELECT m.id, m.status FROM loyalty.members AS m WHERE ${inScope('m')} AND m.id = ANY($3::uuid[])`,
    [...scopeOf(ctx), memberIds],
  );
  return new Map(rows.map(({ id, status }) => [id, status]));
}

/** Returns the sources for which points are booked or pending. */
export async function bookedSources(ctx: Context, sources: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await ctx.sql.query<{ source: string }>(
    `SELECT e.source FROM loyalty.points_entries AS e
      WHERE ${inScope('e')} AND e.source = ANY($3::text[])
     UNION ALL
     SELECT l.source FROM loyalty.point_lots AS l
      WHERE ${inScope('l')} AND l.source = ANY($3::text[])`,
    [...scopeOf(ctx), sources],
  );
  return new Set(rows.map(({ source }) => source));
}

/** Returns the sources for which a coupon was issued. */
export async function issuedSources(ctx: Context, sources: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await ctx.sql.query<{ source: string }>(
    `SELECT c.source FROM loyalty.coupons AS c
      WHERE ${inScope('c')} AND c.source = ANY($3::text[]) AND c.source IS NOT NULL`,
    [...scopeOf(ctx), sources],
  );
  return new Set(rows.map(({ source }) => source));
}

/** Locks the next codes of a pool that no other transaction has locked. */
export async function lockNextCodes(tx: Context, poolId: string, count: number): Promise<string[]> {
  const rows = await tx.sql.query<{ id: string }>(
    `SELECT c.id FROM loyalty.coupons AS c
      WHERE ${inScope('c')} AND c.pool_id = $3 AND c.status <= 'AVAILABLE'
      ORDER BY c.status, c.id LIMIT $4 FOR UPDATE SKIP LOCKED`,
    [...scopeOf(tx), poolId, count],
  );
  return rows.map(({ id }) => id);
}

const ISSUE = moveCoupons(
  `${scoped} AND c.id = ANY($4::uuid[])`,
  `status = 'ISSUED', issued_at = $3::timestamptz, held_until = NULL, reservation_id = NULL,
   member_id = ($5::jsonb->c.id::text->>'memberId')::uuid, source = $5::jsonb->c.id::text->>'key'`,
);

/** Issues locked codes, the first code to the first entry and so on. */
export async function issueCodes(
  tx: Context,
  codeIds: readonly string[],
  entries: readonly JourneyStepEntryInput[],
): Promise<Coupon[]> {
  const entryOfCode = Object.fromEntries(codeIds.map((id, place) => [id, entries[place]]));
  const params = [...scopeOf(tx), tx.clock.now(), codeIds, JSON.stringify(entryOfCode)];
  return tx.sql.query<Coupon>(ISSUE, params);
}

/** Sets the source for which a coupon was issued. */
export async function setCouponSource(tx: Context, couponId: string, source: string): Promise<void> {
  await tx.sql.query(`UPDATE loyalty.coupons AS c SET source = $4 WHERE ${inScope('c')} AND c.id = $3`, [
    ...scopeOf(tx),
    couponId,
    source,
  ]);
}
