import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';

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

/** The latest events that were received after a moment, oldest first; other workspaces' are passed over. */
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
