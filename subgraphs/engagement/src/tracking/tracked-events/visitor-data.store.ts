import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';

/** Events that one statement deletes at most. */
const BATCH = 5_000;

/** Everything that is kept of a member, for an export. */
export async function memberTracking(ctx: Context, memberId: string): Promise<Record<string, unknown>> {
  const params = [...scopeOf(ctx), memberId];
  const events = await ctx.sql.query(
    `SELECT e.id, e.event, e.anonymous_id, e.properties, e.occurred_at, e.received_at
       FROM engagement.tracking_events AS e WHERE ${inScope('e')} AND e.member_id = $3 ORDER BY e.id`,
    params,
  );
  const visitors = await ctx.sql.query(
    `SELECT i.anonymous_id, i.created_at
       FROM engagement.tracking_identities AS i WHERE ${inScope('i')} AND i.member_id = $3
      ORDER BY i.created_at, i.anonymous_id`,
    params,
  );
  return { events, visitors };
}

/** Deletes everything that is kept of a member, who is no longer known as a visitor either. */
export async function deleteMemberTracking(ctx: Context, memberId: string): Promise<void> {
  const params = [...scopeOf(ctx), memberId];
  await ctx.sql.query(
    `DELETE FROM engagement.tracking_identities WHERE ${inScope()} AND member_id = $3`,
    params,
  );
  let deleted: number;
  do {
    const rows = await ctx.sql.query(
      `DELETE FROM engagement.tracking_events AS e
        WHERE ${inScope('e')} AND e.member_id = $3 AND e.id = ANY(ARRAY(
              SELECT o.id FROM engagement.tracking_events AS o
               WHERE ${inScope('o')} AND o.member_id = $3 LIMIT ${BATCH}))
       RETURNING 1`,
      params,
    );
    deleted = rows.length;
  } while (deleted >= BATCH);
}
