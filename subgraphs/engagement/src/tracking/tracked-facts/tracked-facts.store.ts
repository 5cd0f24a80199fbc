import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';

interface FoundEvent {
  readonly id: string;
  readonly event: string;
  readonly memberId: string | null;
  readonly itemId: string | null;
  readonly value: number | null;
  readonly occurredAt: Date;
}

/** Events with one of these names that are a member's. */
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
