import { firstIdAt } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { EventTrigger } from '../journeys/journey-definition.ts';

/** Returns the time of the first such event of each member since a time. Members without one are omitted. */
export async function firstEvents(
  ctx: Context,
  { type, where = {} }: EventTrigger,
  { memberIds, since }: { readonly memberIds: readonly string[]; readonly since: Date },
): Promise<ReadonlyMap<string, Date>> {
  const wanted = Object.fromEntries(Object.entries(where).map(([field, values]) => [field, [values].flat()]));
  const rows = await ctx.sql.query<{ id: string; at: Date }>(
    `SELECT a.member_id AS id, min(a.occurred_at) AS at
       FROM engagement.activity_entries AS a
      WHERE ${inScope('a')} AND a.member_id = ANY($3::uuid[]) AND a.type = $4 AND a.id >= $5
        AND a.occurred_at >= $6
        AND NOT EXISTS (
            SELECT FROM jsonb_each($7::jsonb) AS w
             WHERE NOT EXISTS (SELECT FROM jsonb_array_elements(w.value) AS v(value)
                                WHERE a.payload->w.key @> v.value))
      GROUP BY a.member_id`,
    [...scopeOf(ctx), memberIds, type, firstIdAt(since), since, JSON.stringify(wanted)],
  );
  return new Map(rows.map(({ id, at }) => [id, at]));
}

/** Returns the time zones of members from profiles. */
export async function zonesOfMembers(
  ctx: Context,
  memberIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await ctx.sql.query<{ id: string; zone: string }>(
    `SELECT p.member_id AS id, p.time_zone AS zone FROM engagement.profiles AS p
      WHERE ${inScope('p')} AND p.member_id = ANY($3::uuid[])`,
    [...scopeOf(ctx), memberIds],
  );
  return new Map(rows.map(({ id, zone }) => [id, zone]));
}
