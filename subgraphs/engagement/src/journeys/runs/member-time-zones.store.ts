import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';

/** The time zones of those of the members who have a profile. */
export async function timeZonesOf(
  ctx: Context,
  memberIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await ctx.sql.query<{ id: string; timeZone: string }>(
    `SELECT member_id AS id, time_zone FROM engagement.profiles
      WHERE ${inScope()} AND member_id = ANY($3::uuid[])`,
    [...scopeOf(ctx), memberIds],
  );
  return new Map(rows.map(({ id, timeZone }) => [id, timeZone]));
}
