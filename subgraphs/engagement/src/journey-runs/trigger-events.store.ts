import type { Scope } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/database/array-parameters';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { PublishedEvent } from '@loyalty/platform/work/events';
import type { TriggerRole } from '../journeys/event-triggers.ts';

/** Inserts the events with a member that a journey of their workspace and mode listens to. */
export async function insertTriggerEvents(tx: Context, events: readonly PublishedEvent[]): Promise<boolean> {
  const rows = await tx.sql.query(
    `INSERT INTO engagement.trigger_events (workspace_id, mode, id, type, member_id, payload, occurred_at)
     SELECT e.workspace_id, e.mode, e.id, e.type, e.member_id, e.payload, e.created_at
       FROM unnest($1::uuid[], $2::platform."Mode"[], $3::uuid[], $4::text[], $5::uuid[], $6::jsonb[],
                   $7::timestamptz[])
         AS e(workspace_id, mode, id, type, member_id, payload, created_at)
      WHERE EXISTS (
            SELECT FROM engagement.journey_triggers AS t
             WHERE t.workspace_id = e.workspace_id AND t.mode = e.mode AND t.event_type = e.type OFFSET 0)
     ON CONFLICT (workspace_id, mode, id) DO NOTHING
     RETURNING 1`,
    [
      ...arraysOf(events, 'workspaceId', 'mode', 'id', 'type'),
      events.map(({ payload }) => (payload as { memberId: string }).memberId),
      events.map(({ payload }) => JSON.stringify(payload)),
      events.map(({ createdAt }) => createdAt),
    ],
  );
  return rows.length > 0;
}

/** Returns workspaces and modes with waiting events. The index finds the next one without reading events. */
export async function scopesWithEvents(ctx: Context): Promise<Scope[]> {
  return ctx.sql.query<Scope>(
    `/* every workspace */ WITH RECURSIVE scopes AS (
       (SELECT workspace_id, mode FROM engagement.trigger_events ORDER BY workspace_id, mode LIMIT 1)
       UNION ALL
       SELECT next.workspace_id, next.mode
         FROM scopes AS s CROSS JOIN LATERAL (
              SELECT e.workspace_id, e.mode FROM engagement.trigger_events AS e
               WHERE (e.workspace_id, e.mode) > (s.workspace_id, s.mode)
               ORDER BY e.workspace_id, e.mode LIMIT 1) AS next
     )
     SELECT workspace_id, mode FROM scopes`,
  );
}

/** An event of a member that journeys listen to. */
export interface TriggerEvent {
  readonly id: string;
  readonly type: string;
  readonly memberId: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly occurredAt: Date;
}

/**
 * Returns the oldest waiting events. Only one worker at a time processes a workspace and mode, so that the
 * events of a member are applied in their order.
 *
 * @returns null if another worker processes them
 */
export async function lockTriggerEvents(tx: Context, size: number): Promise<TriggerEvent[] | null> {
  const [lock] = await tx.sql.query<{ isTaken: boolean }>(
    `SELECT pg_try_advisory_xact_lock(hashtextextended('engagement.trigger_events:' || $1 || $2, 0))
         AS is_taken`,
    [...scopeOf(tx)],
  );
  if (!lock!.isTaken) return null;
  return tx.sql.query<TriggerEvent>(
    `SELECT e.id, e.type, e.member_id, e.payload, e.occurred_at
       FROM engagement.trigger_events AS e WHERE ${inScope('e')} ORDER BY e.id LIMIT $3`,
    [...scopeOf(tx), size],
  );
}

export async function deleteTriggerEvents(tx: Context, ids: readonly string[]): Promise<void> {
  await tx.sql.query(
    `DELETE FROM engagement.trigger_events AS e WHERE ${inScope('e')} AND e.id = ANY($3::uuid[])`,
    [...scopeOf(tx), ids],
  );
}

export async function deleteEventsOfMember(ctx: Context, memberId: string): Promise<void> {
  await ctx.sql.query(`DELETE FROM engagement.trigger_events WHERE ${inScope()} AND member_id = $3`, [
    ...scopeOf(ctx),
    memberId,
  ]);
}

/** A journey that listens to a type of event. */
export interface Listener {
  readonly journeyId: string;
  readonly role: TriggerRole;
  readonly type: string;
}

/** Returns the journeys that listen to any of these types. */
export async function listenersTo(ctx: Context, types: readonly string[]): Promise<Listener[]> {
  return ctx.sql.query<Listener>(
    `SELECT t.journey_id, t.role, t.event_type AS type FROM engagement.journey_triggers AS t
      WHERE ${inScope('t')} AND t.event_type = ANY($3::text[])`,
    [...scopeOf(ctx), types],
  );
}
