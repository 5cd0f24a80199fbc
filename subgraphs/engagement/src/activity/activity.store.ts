import { memberErased } from '@loyalty/loyalty-subgraph/member-status/member-status.events';
import type { Context } from '@loyalty/platform/context';
import { arraysOf, rowsOf } from '@loyalty/platform/database/array-parameters';
import { loader } from '@loyalty/platform/database/loaders';
import { type Placed, pageLoader } from '@loyalty/platform/database/page-loader';
import { type PageRequest, scan } from '@loyalty/platform/database/pages';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { PublishedEvent } from '@loyalty/platform/work/events';
import type { ActivityEvent } from './activity-entry.ts';

const columns = 'a.id, a.type, a.payload, a.actor, a.occurred_at AS created_at';

/** Inserts events. An event that is passed again is not inserted again. */
export async function insertActivity(tx: Context, events: readonly PublishedEvent[]): Promise<void> {
  await tx.sql.query(
    `INSERT INTO engagement.activity_entries
            (workspace_id, mode, id, type, member_id, payload, actor, occurred_at)
     SELECT e.workspace_id, e.mode, e.id, e.type, (e.payload->>'memberId')::uuid, e.payload, e.actor,
            e.created_at
       FROM unnest($1::uuid[], $2::platform."Mode"[], $3::uuid[], $4::text[], $5::jsonb[], $6::text[],
                   $7::timestamptz[])
         AS e(workspace_id, mode, id, type, payload, actor, created_at)
     ON CONFLICT (workspace_id, mode, id) DO NOTHING`,
    [
      ...arraysOf(events, 'workspaceId', 'mode', 'id', 'type'),
      events.map(({ payload }) => JSON.stringify(payload)),
      ...arraysOf(events, 'actor', 'createdAt'),
    ],
  );
}

/**
 * A page of the workspace's activity. The index finds at most a page of rows for each type, so that a rare
 * type is found without reading all others.
 *
 * @param types - null for all types
 */
export function activityPage(
  ctx: Context,
  request: PageRequest,
  types: readonly string[] | null,
): Promise<ActivityEvent[]> {
  const { order, beyond } = scan(request);
  const rows = (ofType: string) =>
    `SELECT ${columns} FROM engagement.activity_entries AS a
      WHERE ${inScope('a')} AND ($3::uuid IS NULL OR a.id ${beyond} $3) ${ofType}
      ORDER BY a.id ${order}`;
  const params = [...scopeOf(ctx), request.cursorId, request.size + 1, request.offset];
  if (!types) return ctx.sql.query(`${rows('')} LIMIT $4 OFFSET $5`, params);
  return ctx.sql.query(
    `SELECT found.* FROM ${rowsOf('$6::text[]')} AS w(type)
      CROSS JOIN LATERAL (${rows('AND a.type = w.type')} LIMIT $4::int + $5::int) AS found
      ORDER BY found.id ${order} LIMIT $4 OFFSET $5`,
    [...params, types],
  );
}

/** @param types - null for all types */
export async function activityCountOf(ctx: Context, types: readonly string[] | null): Promise<number> {
  const [counted] = await ctx.sql.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM engagement.activity_entries
      WHERE ${inScope()} AND ($3::text[] IS NULL OR type = ANY($3))`,
    [...scopeOf(ctx), types],
  );
  return counted!.total;
}

/** An owner is JSON with `memberId` and `types`; null for all types. */
const ofOwner = `a.member_id = (w.owner->>'memberId')::uuid
  AND (jsonb_typeof(w.owner->'types') = 'null' OR w.owner->'types' ? a.type)`;

/** A page of a member's activity. Batched by member. */
export const memberActivityEvents = pageLoader<string, ActivityEvent>((ctx, wanted) => {
  const { owners, limits, offsets, cursorIds, order, beyond } = wanted;
  return ctx.sql.query<Placed<ActivityEvent>>(
    `SELECT w.place, found.*
       FROM ${rowsOf('$3::jsonb[], $4::int[], $5::int[], $6::uuid[]')} WITH ORDINALITY
         AS w(owner, rows, skip, cursor_id, place)
      CROSS JOIN LATERAL (
        SELECT ${columns} FROM engagement.activity_entries AS a
         WHERE ${inScope('a')} AND ${ofOwner} AND (w.cursor_id IS NULL OR a.id ${beyond} w.cursor_id)
         ORDER BY a.id ${order} LIMIT w.rows OFFSET w.skip) AS found
      ORDER BY w.place, found.id ${order}`,
    [...scopeOf(ctx), owners, limits, offsets, cursorIds],
  );
});

export const activityCountByMember = loader(async (ctx, owners: readonly string[]) => {
  const rows = await ctx.sql.query<{ place: number; total: number }>(
    `SELECT w.place::int, found.total
       FROM ${rowsOf('$3::jsonb[]')} WITH ORDINALITY AS w(owner, place)
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS total FROM engagement.activity_entries AS a
         WHERE ${inScope('a')} AND ${ofOwner}) AS found`,
    [...scopeOf(ctx), owners],
  );
  return new Map(rows.map(({ place, total }) => [owners[place - 1]!, total]));
});

/** Deletes the activity of a member, except the entry of the erasure. */
export async function deleteActivity(ctx: Context, memberId: string): Promise<void> {
  await ctx.sql.query(
    `DELETE FROM engagement.activity_entries WHERE ${inScope()} AND member_id = $3 AND type <> $4`,
    [...scopeOf(ctx), memberId, memberErased.type],
  );
}
