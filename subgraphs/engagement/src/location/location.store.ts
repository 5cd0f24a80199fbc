import { addMs } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';

export type GeofenceEventType = 'ENTER' | 'DWELL';

export interface GeofenceEvent {
  readonly id: string;
  readonly memberId: string;
  readonly storeId: string;
  readonly type: GeofenceEventType;
  readonly occurredAt: Date;
}

type Seen = Pick<GeofenceEvent, 'memberId' | 'storeId' | 'type'>;

/**
 * Serializes the reports of a member about a store. An advisory lock is used, because there may be no row
 * yet.
 */
export async function lockGeofence(tx: Context, { memberId, storeId, type }: Seen): Promise<void> {
  await tx.sql.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [
    ['engagement.geofence_events', ...scopeOf(tx), memberId, storeId, type].join(':'),
  ]);
}

/**
 * Inserts an event. Returns false if the same event is not older than `repeatedWithinMs`. The geofence must
 * be locked.
 */
export async function insertGeofenceEvent(
  tx: Context,
  event: GeofenceEvent,
  repeatedWithinMs: number,
): Promise<boolean> {
  const { id, memberId, storeId, type, occurredAt } = event;
  const rows = await tx.sql.query(
    `INSERT INTO engagement.geofence_events (workspace_id, mode, id, member_id, store_id, type, occurred_at)
     SELECT $1, $2::platform."Mode", $3, $4, $5, $6::engagement."GeofenceEventType", $7::timestamptz
      WHERE NOT EXISTS (
            SELECT FROM engagement.geofence_events
             WHERE ${inScope()} AND member_id = $4 AND store_id = $5
               AND type = $6::engagement."GeofenceEventType" AND occurred_at > $8)
     RETURNING 1`,
    [...scopeOf(tx), id, memberId, storeId, type, occurredAt, addMs(occurredAt, -repeatedWithinMs)],
  );
  return rows.length > 0;
}

/** Events of a member, newest first. */
export const geofenceEventsOf = (ctx: Context, memberId: string): Promise<GeofenceEvent[]> =>
  ctx.sql.query<GeofenceEvent>(
    `SELECT id, member_id, store_id, type, occurred_at
       FROM engagement.geofence_events WHERE ${inScope()} AND member_id = $3 ORDER BY occurred_at DESC`,
    [...scopeOf(ctx), memberId],
  );

export async function deleteGeofenceEvents(ctx: Context, memberId: string): Promise<void> {
  await ctx.sql.query(`DELETE FROM engagement.geofence_events WHERE ${inScope()} AND member_id = $3`, [
    ...scopeOf(ctx),
    memberId,
  ]);
}
