import { addMs, MINUTE_MS } from '@loyalty/platform/base/clock';
import { firstIdAt } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import type { Instants } from '@loyalty/platform/database/day-range';
import { loader } from '@loyalty/platform/database/loaders';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { entryColumns, type PointsTransaction } from './points.store.ts';

/** Conditions on entries; null does not count. */
export interface EntryFilter extends Instants {
  readonly memberId: string | null;
}

/**
 * Returns conditions on entries `e`. The id of an entry is never created after the entry, so the index of ids
 * excludes those of later days. It may be created long before, because pending points keep their id.
 */
function conditionsOf({ memberId, from, to }: EntryFilter, bind: (value: unknown) => string): string {
  return [
    inScope('e'),
    ...(memberId ? [`e.member_id = ${bind(memberId)}`] : []),
    ...(from ? [`e.created_at >= ${bind(from)}`] : []),
    ...(to ? [`e.created_at < ${bind(to)}`, `e.id < ${bind(firstIdAt(addMs(to, MINUTE_MS)))}::uuid`] : []),
  ].join(' AND ');
}

export async function countEntries(ctx: Context, filter: EntryFilter): Promise<number> {
  const params: unknown[] = [...scopeOf(ctx)];
  const where = conditionsOf(filter, (value) => `$${params.push(value)}`);
  const [row] = await ctx.sql.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM loyalty.points_entries AS e WHERE ${where}`,
    params,
  );
  return row?.total ?? 0;
}

/** Returns the next entries, latest ids first. */
export async function entriesBehind(
  ctx: Context,
  filter: EntryFilter,
  after: string | null,
  limit: number,
): Promise<PointsTransaction[]> {
  const params: unknown[] = [...scopeOf(ctx)];
  const bind = (value: unknown) => `$${params.push(value)}`;
  const where = conditionsOf(filter, bind);
  const behind = after ? ` AND e.id < ${bind(after)}` : '';
  return ctx.sql.query<PointsTransaction>(
    `SELECT ${entryColumns('e')} FROM loyalty.points_entries AS e WHERE ${where}${behind}
      ORDER BY e.id DESC LIMIT ${bind(limit)}`,
    params,
  );
}

/** Loads all points that members ever spent; members without any are left out. */
export const redeemedByMember = loader(async (ctx, memberIds: readonly string[]) => {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query<{ memberId: string; total: bigint }>(
    `SELECT member_id, -sum(amount)::bigint AS total
       FROM loyalty.points_entries
      WHERE ${inScope()} AND member_id = ANY($3::uuid[])
        AND kind = 'REDEMPTION'
      GROUP BY member_id`,
    [workspaceId, mode, memberIds],
  );
  return new Map(rows.map(({ memberId, total }) => [memberId, total]));
});
