import { ASYNCHRONOUS_COMMIT } from '@loyalty/platform/base/asynchronous-commit';
import type { Mode } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/database/array-parameters';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { PublishedEvent } from '@loyalty/platform/work/events';
import { type Claimed, mayBeTaken } from '@loyalty/platform/work/lost-workers';

/** Inserts the events that an active endpoint of their workspace and mode subscribes to. */
export async function insertSubscribedEvents(
  tx: Context,
  events: readonly PublishedEvent[],
): Promise<boolean> {
  const rows = await tx.sql.query(
    `INSERT INTO engagement.webhook_events
            (workspace_id, mode, id, type, payload, created_at, due_at)
     SELECT e.workspace_id, e.mode, e.id, e.type, e.payload, e.created_at, $7
       FROM unnest($1::uuid[], $2::platform."Mode"[], $3::uuid[], $4::text[], $5::jsonb[], $6::timestamptz[])
         AS e(workspace_id, mode, id, type, payload, created_at)
      WHERE EXISTS (
            SELECT FROM engagement.webhook_endpoints AS w
             WHERE w.workspace_id = e.workspace_id AND w.mode = e.mode AND w.status = 'ACTIVE'
               AND w.event_types @> ARRAY[e.type])
     ON CONFLICT (workspace_id, mode, id) DO NOTHING
     RETURNING 1`,
    [
      ...arraysOf(events, 'workspaceId', 'mode', 'id', 'type'),
      events.map(({ payload }) => JSON.stringify(payload)),
      events.map(({ createdAt }) => createdAt),
      tx.clock.now(),
    ],
  );
  return rows.length > 0;
}

/** An event whose deliveries have not been made yet. */
export interface WaitingEvent extends Claimed {
  readonly workspaceId: string;
  readonly mode: Mode;
  readonly id: string;
  readonly type: string;
  readonly memberId: string | null;
}

/**
 * Claims the oldest waiting events. From `until` on, another worker may claim them.
 *
 * @param maySuspect - whether an event whose worker was lost may be claimed
 */
export async function claimEvents(
  ctx: Context,
  size: number,
  until: Date,
  maySuspect = true,
): Promise<WaitingEvent[]> {
  return ctx.sql.query<WaitingEvent>(
    `/* every workspace */ WITH waiting AS MATERIALIZED (
       SELECT workspace_id, mode, id, claims FROM engagement.webhook_events
        WHERE due_at <= $1 AND (leased_until IS NULL OR leased_until <= $1)
        ORDER BY due_at, id LIMIT $2 FOR UPDATE SKIP LOCKED
     ), claimed AS (
       UPDATE engagement.webhook_events AS e SET leased_until = $3, claims = e.claims + 1
         FROM waiting, ${ASYNCHRONOUS_COMMIT}
        WHERE e.workspace_id = waiting.workspace_id AND e.mode = waiting.mode AND e.id = waiting.id
          AND ${mayBeTaken('waiting', '$4')}
       RETURNING e.workspace_id, e.mode, e.id, e.type, e.claims,
                 e.payload->>'memberId' AS member_id
     )
     SELECT * FROM claimed ORDER BY id`,
    [ctx.clock.now(), size, until, maySuspect],
  );
}

/** Postpones the deliveries of these events. Has no effect on events whose deliveries were made meanwhile. */
export async function postponeEvents(ctx: Context, ids: readonly string[], dueAt: Date): Promise<void> {
  await ctx.sql.query(
    `UPDATE engagement.webhook_events SET due_at = $4, leased_until = NULL, claims = 0
      WHERE ${inScope()} AND id = ANY($3::uuid[]) AND due_at IS NOT NULL`,
    [...scopeOf(ctx), ids, dueAt],
  );
}

/** Drops an event: no deliveries are made. */
export async function dropEvent(ctx: Context, id: string): Promise<void> {
  await ctx.sql.query(
    `UPDATE engagement.webhook_events SET due_at = NULL, leased_until = NULL WHERE ${inScope()} AND id = $3`,
    [...scopeOf(ctx), id],
  );
}

/** Returns the active endpoints that subscribe to any of these types, with their types. */
export async function subscribers(
  ctx: Context,
  types: readonly string[],
): Promise<{ readonly id: string; readonly eventTypes: readonly string[] }[]> {
  return ctx.sql.query(
    `SELECT id, event_types FROM engagement.webhook_endpoints
      WHERE ${inScope()} AND status = 'ACTIVE' AND event_types && $3::text[]
      ORDER BY id`,
    [...scopeOf(ctx), types],
  );
}

/** A new delivery. */
export interface NewDelivery {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
}

/**
 * Makes the deliveries of events and numbers the events in the order given, all in one statement. Events that
 * another worker has finished meanwhile are skipped.
 *
 * @param events - of the caller's workspace and mode
 */
export async function insertDeliveries(
  ctx: Context,
  events: readonly { readonly id: string; readonly tier: string | null }[],
  deliveries: readonly NewDelivery[],
): Promise<void> {
  await ctx.sql.query(
    `WITH given AS MATERIALIZED (
       SELECT g.id, g.tier, row_number() OVER (ORDER BY g.place) AS place
         FROM unnest($3::uuid[], $4::text[]) WITH ORDINALITY AS g(id, tier, place)
     ), sequence AS (
       INSERT INTO engagement.webhook_sequences AS s (workspace_id, mode, last)
       VALUES ($1, $2::platform."Mode", (SELECT count(*) FROM given))
       ON CONFLICT (workspace_id, mode) DO UPDATE SET last = s.last + excluded.last
       RETURNING last - (SELECT count(*) FROM given) AS before
     ), made AS (
       UPDATE engagement.webhook_events AS e
          SET due_at = NULL, tier = given.tier, sequence = sequence.before + given.place
         FROM given, sequence
        WHERE ${inScope('e')} AND e.id = given.id AND e.due_at IS NOT NULL
       RETURNING e.id, e.type
     )
     INSERT INTO engagement.webhook_deliveries
            (workspace_id, mode, id, endpoint_id, event_id, event_type, due_at, created_at, updated_at)
     SELECT $1, $2::platform."Mode", d.id, d.endpoint_id, made.id, made.type, $8, $8, $8
       FROM unnest($5::uuid[], $6::uuid[], $7::uuid[]) AS d(id, endpoint_id, event_id)
       JOIN made ON made.id = d.event_id
       JOIN engagement.webhook_endpoints AS w
         ON ${inScope('w')} AND w.id = d.endpoint_id AND w.status = 'ACTIVE'
     ON CONFLICT (workspace_id, mode, endpoint_id, event_id) WHERE replay_of IS NULL DO NOTHING`,
    [
      ...scopeOf(ctx),
      ...arraysOf(events, 'id', 'tier'),
      ...arraysOf(deliveries, 'id', 'endpointId', 'eventId'),
      ctx.clock.now(),
    ],
  );
}
