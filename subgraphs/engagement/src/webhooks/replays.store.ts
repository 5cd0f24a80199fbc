import { firstIdAt } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { PING_EVENT } from '../events/event-body.ts';
import { type DeliveryStatus, deliveryColumns, type WebhookDelivery } from './deliveries.store.ts';

/** Conditions on the deliveries of an endpoint to replay; null matches all. */
export interface ReplayFilter {
  readonly endpointId: string;
  readonly status: DeliveryStatus | null;
  readonly eventType: string | null;
  readonly since: Date | null;
  readonly until: Date | null;
}

const columnsOfNew = `workspace_id, mode, id, endpoint_id, event_id, event_type, status, due_at, replay_of,
  created_at, updated_at`;

/** Inserts the event of a test message and its delivery. The endpoint is active. */
export async function insertPing(
  ctx: Context,
  endpointId: string,
  ids: { readonly eventId: string; readonly deliveryId: string },
): Promise<WebhookDelivery> {
  const [row] = await ctx.sql.query<WebhookDelivery>(
    `WITH event AS (
       INSERT INTO engagement.webhook_events (workspace_id, mode, id, type, payload, created_at)
       VALUES ($1::uuid, $2::platform."Mode", $3::uuid, $5, $6::jsonb, $8::timestamptz))
     INSERT INTO engagement.webhook_deliveries AS d (${columnsOfNew})
     VALUES ($1, $2::platform."Mode", $4::uuid, $7::uuid, $3, $5, 'PENDING', $8, NULL, $8, $8)
     RETURNING ${deliveryColumns('d')}`,
    [
      ...scopeOf(ctx),
      ...[ids.eventId, ids.deliveryId, PING_EVENT, JSON.stringify({ webhookEndpointId: endpointId })],
      ...[endpointId, ctx.clock.now()],
    ],
  );
  return row!;
}

/** `OFFSET 0` makes the planner find each event by the index. Otherwise it may join whole tables. */
const eventIsKept = `EXISTS (
  SELECT FROM engagement.webhook_events AS e WHERE ${inScope('e')} AND e.id = d.event_id OFFSET 0)`;

/** Inserts a replay. Returns null if the delivery is unknown, or its event was pruned. */
export async function insertReplay(
  ctx: Context,
  deliveryId: string,
  replayId: string,
): Promise<WebhookDelivery | null> {
  const [row] = await ctx.sql.query<WebhookDelivery>(
    `INSERT INTO engagement.webhook_deliveries AS made (${columnsOfNew})
     SELECT d.workspace_id, d.mode, $4::uuid, d.endpoint_id, d.event_id, d.event_type, 'PENDING',
            $5::timestamptz, d.id, $5, $5
       FROM engagement.webhook_deliveries AS d
      WHERE ${inScope('d')} AND d.id = $3 AND ${eventIsKept}
     RETURNING ${deliveryColumns('made')}`,
    [...scopeOf(ctx), deliveryId, replayId, ctx.clock.now()],
  );
  return row ?? null;
}

/** The matching deliveries. A delivery that was replayed is skipped, because its replay represents it. */
const MATCHING = `SELECT d.id, d.event_id, d.event_type FROM engagement.webhook_deliveries AS d
      WHERE ${inScope('d')} AND d.endpoint_id = $3
        AND ($4::engagement."DeliveryStatus" IS NULL OR d.status = $4)
        AND ($5::text IS NULL OR d.event_type = $5) AND d.event_type <> '${PING_EVENT}'
        AND ($6::uuid IS NULL OR d.id >= $6) AND ($7::uuid IS NULL OR d.id < $7)
        AND NOT EXISTS (SELECT FROM engagement.webhook_deliveries AS r
                         WHERE ${inScope('r')} AND r.replay_of = d.id OFFSET 0)
        AND ${eventIsKept}
      ORDER BY d.id LIMIT $8`;

const paramsOf = (ctx: Context, { endpointId, status, eventType, since, until }: ReplayFilter) => [
  ...scopeOf(ctx),
  ...[endpointId, status, eventType, since && firstIdAt(since), until && firstIdAt(until)],
];

/** Counts matching deliveries, up to `limit`. */
export async function countMatching(ctx: Context, filter: ReplayFilter, limit: number): Promise<number> {
  const [counted] = await ctx.sql.query<{ rows: number }>(
    `SELECT count(*)::int AS rows FROM (${MATCHING}) AS found`,
    [...paramsOf(ctx, filter), limit],
  );
  return counted!.rows;
}

/** Serializes the replays of an endpoint, so that no delivery is replayed twice. */
export async function lockReplays(ctx: Context, endpointId: string): Promise<void> {
  await ctx.sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('engagement.replays:' || $1, 0))`, [
    endpointId,
  ]);
}

/**
 * Inserts replays of all matching deliveries, unless there are more deliveries than ids. The caller has
 * called `lockReplays`.
 *
 * @returns the number of matching deliveries, up to the number of ids plus one
 */
export async function insertReplays(
  ctx: Context,
  filter: ReplayFilter,
  ids: readonly string[],
): Promise<number> {
  const [found] = await ctx.sql.query<{ rows: number }>(
    `WITH matching AS MATERIALIZED (${MATCHING}),
     placed AS (
       SELECT m.*, row_number() OVER (ORDER BY m.id) AS place, count(*) OVER () AS rows FROM matching AS m),
     made AS (
       INSERT INTO engagement.webhook_deliveries (${columnsOfNew})
       SELECT $1::uuid, $2::platform."Mode", n.id, $3::uuid, p.event_id, p.event_type, 'PENDING',
              $10::timestamptz, p.id, $10, $10
         FROM placed AS p
         JOIN unnest($9::uuid[]) WITH ORDINALITY AS n(id, place) ON n.place = p.place
        WHERE p.rows <= cardinality($9::uuid[])
       RETURNING 1)
     SELECT count(*)::int AS rows FROM matching`,
    [...paramsOf(ctx, filter), ids.length + 1, ids, ctx.clock.now()],
  );
  return found!.rows;
}
