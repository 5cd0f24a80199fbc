import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import { firstIdAt } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { anyOf, arraysOf } from '@loyalty/platform/database/array-parameters';
import { midnight } from '@loyalty/platform/database/day-partitions';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';

/** A new event. */
export interface NewEvent {
  readonly id: string;
  /** The id that the event would have received yesterday. If it exists, the event is a duplicate. */
  readonly yesterdays: string | null;
  readonly event: string;
  readonly memberId: string | null;
  readonly anonymousId: string | null;
  readonly occurredAt: Date;
  /** JSON text. */
  readonly properties: string | null;
  readonly itemId: string | null;
}

/** SQL of the product of an event, as `itemOf` of tracked-events.input.ts reads it. */
const itemId = "coalesce(e.properties->>'item_id', e.properties->>'itemId')";

/** Returns the members of identified visitors, by visitor id. */
export async function identitiesOf(
  ctx: Context,
  anonymousIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await ctx.sql.query<{ anonymousId: string; memberId: string }>(
    `SELECT anonymous_id, member_id FROM engagement.tracking_identities
      WHERE ${inScope()} AND anonymous_id = ${anyOf('$3::text[]')}`,
    [...scopeOf(ctx), anonymousIds],
  );
  return new Map(rows.map(({ anonymousId, memberId }) => [anonymousId, memberId]));
}

/** Inserts new events with one statement and returns their ids. */
export async function insertEvents(ctx: Context, events: readonly NewEvent[]): Promise<string[]> {
  const today = midnight(ctx.clock.now());
  // In the order of the ids, so that two requests with the same events cannot deadlock.
  const rows = [...events].sort((one, other) => (one.id < other.id ? -1 : 1));
  const inserted = await ctx.sql.query<{ id: string }>(
    `INSERT INTO engagement.tracking_events
       (workspace_id, mode, id, event, member_id, anonymous_id, properties, occurred_at, received_at)
     SELECT $1, $2::platform."Mode", g.id, g.event, g.member_id, g.anonymous_id, g.properties, g.occurred_at,
            $10
       FROM unnest($3::uuid[], $4::uuid[], $5::text[], $6::uuid[], $7::text[], $8::jsonb[], $9::timestamptz[])
         AS g(id, yesterdays, event, member_id, anonymous_id, properties, occurred_at)
      WHERE g.yesterdays IS NULL OR g.yesterdays <> ALL(ARRAY(
            SELECT e.id FROM engagement.tracking_events AS e
             WHERE ${inScope('e')} AND e.id = ANY($4::uuid[])
               AND e.id >= $11 AND e.id < $12))
     ON CONFLICT (workspace_id, mode, id) DO NOTHING
     RETURNING id`,
    [
      ...scopeOf(ctx),
      ...arraysOf(rows, 'id', 'yesterdays', 'event', 'memberId', 'anonymousId', 'properties', 'occurredAt'),
      ctx.clock.now(),
      // Limits the search to the partition of yesterday.
      firstIdAt(addMs(today, -DAY_MS)),
      firstIdAt(today),
    ],
  );
  return inserted.map(({ id }) => id);
}

/** Inserts the members of visitors. The first member of a visitor remains. */
export async function insertIdentities(tx: Context, events: readonly NewEvent[]): Promise<void> {
  const byVisitor = new Map(events.toReversed().map((event) => [event.anonymousId, event.memberId]));
  const pairs = [...byVisitor].sort(([one], [other]) => (one! < other! ? -1 : 1));
  await tx.sql.query(
    `INSERT INTO engagement.tracking_identities (workspace_id, mode, anonymous_id, member_id, created_at)
     SELECT $1, $2::platform."Mode", n.anonymous_id, n.member_id, $5
       FROM unnest($3::text[], $4::uuid[]) AS n(anonymous_id, member_id)
     ON CONFLICT (workspace_id, mode, anonymous_id) DO NOTHING`,
    [...scopeOf(tx), pairs.map(([visitor]) => visitor), pairs.map(([, member]) => member), tx.clock.now()],
  );
}

/**
 * Assigns the earlier events of visitors to their members, for the members of the given events.
 *
 * @param fromId - the first id of the oldest day that is included
 */
export async function joinEarlierEvents(
  tx: Context,
  events: readonly NewEvent[],
  fromId: string,
): Promise<Pick<NewEvent, 'id' | 'event' | 'memberId' | 'itemId'>[]> {
  return tx.sql.query(
    `UPDATE engagement.tracking_events AS e SET member_id = i.member_id
       FROM engagement.tracking_identities AS i
      WHERE ${inScope('i')} AND i.anonymous_id = ANY($3::text[]) AND i.member_id = ANY($4::uuid[])
        AND ${inScope('e')} AND e.anonymous_id = i.anonymous_id AND e.member_id IS NULL AND e.id >= $5
     RETURNING e.id, e.event, e.member_id, ${itemId} AS item_id`,
    [
      ...scopeOf(tx),
      [...new Set(events.map(({ anonymousId }) => anonymousId))],
      [...new Set(events.map(({ memberId }) => memberId))],
      fromId,
    ],
  );
}

/** Batch size: events per DELETE. */
const BATCH = 5_000;

/** Returns all stored tracking data of a member, for an export. */
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

/** Deletes all tracking data of a member, including the visitor ids. */
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

/** An event as it is stored. */
export interface StoredEvent {
  readonly id: string;
  readonly event: string;
  readonly memberId: string | null;
  readonly anonymousId: string | null;
  readonly properties: Record<string, unknown> | null;
  readonly occurredAt: Date;
  readonly receivedAt: Date;
}

/** An event for watchers. */
export interface ShownEvent extends StoredEvent {
  readonly skipped: number;
}

/** Returns the latest events that were received since a time, oldest first. */
export async function receivedSince(
  ctx: Context,
  wanted: {
    readonly since: Date;
    readonly fromId: string;
    readonly event: string | null;
    readonly limit: number;
  },
): Promise<StoredEvent[]> {
  const rows = await ctx.sql.query<StoredEvent>(
    `SELECT e.id, e.event, e.member_id, e.anonymous_id, e.properties, e.occurred_at, e.received_at
       FROM engagement.tracking_events AS e
      WHERE ${inScope('e')} AND e.received_at >= $3 AND e.id >= $4 AND ($5::text IS NULL OR e.event = $5)
      ORDER BY e.received_at DESC, e.id DESC LIMIT $6`,
    [...scopeOf(ctx), wanted.since, wanted.fromId, wanted.event, wanted.limit],
  );
  return rows.reverse();
}

interface FoundEvent {
  readonly id: string;
  readonly event: string;
  readonly memberId: string | null;
  readonly itemId: string | null;
  readonly value: number | null;
  readonly occurredAt: Date;
}

/** Returns events of members with one of these names. */
export const findTrackedFacts = (
  ctx: Context,
  ids: readonly string[],
  names: readonly string[],
): Promise<FoundEvent[]> =>
  ctx.sql.query(
    `SELECT e.id, e.event, e.member_id,
            coalesce(e.properties->>'item_id', e.properties->>'itemId') AS item_id,
            CASE WHEN jsonb_typeof(e.properties->'value') = 'number'
                 THEN (e.properties->>'value')::float8 END AS value, e.occurred_at
       FROM engagement.tracking_events AS e
      WHERE ${inScope('e')} AND e.id = ANY($3::uuid[]) AND e.event = ANY($4::text[])
        AND e.member_id IS NOT NULL
      ORDER BY e.occurred_at, e.id`,
    [...scopeOf(ctx), ids, names],
  );
