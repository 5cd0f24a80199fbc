import { firstIdAt } from '@loyalty/platform/base/ids';
import type { Context, Loader } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/database/pages';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { DeliveredEvent } from '../events/event-body.ts';

export type DeliveryStatus = 'PENDING' | 'RETRYING' | 'DELIVERED' | 'FAILED' | 'DEAD' | 'CANCELLED';

/** The delivery of an event to an endpoint. */
export interface WebhookDelivery {
  readonly id: string;
  readonly endpointId: string;
  /** The `webhook-id` header. */
  readonly eventId: string;
  readonly eventType: string;
  readonly status: DeliveryStatus;
  /** Number of finished attempts. */
  readonly attemptCount: number;
  readonly dueAt: Date | null;
  readonly replayOf: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A request of a delivery. */
export interface WebhookAttempt {
  readonly deliveryId: string;
  readonly number: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly responseExcerpt: string | null;
}

/** Conditions on deliveries; null matches all. */
export interface DeliveryFilter {
  readonly endpointId: string | null;
  readonly status: DeliveryStatus | null;
  readonly eventType: string | null;
  readonly createdFrom: Date | null;
  readonly createdUntil: Date | null;
}

export const deliveryColumns = (table: string): string => `${table}.id, ${table}.endpoint_id AS endpoint_id,
  ${table}.event_id AS event_id, ${table}.event_type AS event_type, ${table}.status,
  ${table}.attempts AS attempt_count, ${table}.due_at AS due_at, ${table}.replay_of AS replay_of,
  ${table}.created_at AS created_at, ${table}.updated_at AS updated_at`;

export const deliveryById: Loader<string, WebhookDelivery> = loader(async (ctx, ids) => {
  const rows = await ctx.sql.query<WebhookDelivery>(
    `SELECT ${deliveryColumns('d')} FROM engagement.webhook_deliveries AS d
      WHERE ${inScope('d')} AND d.id = ANY($3::uuid[])`,
    [...scopeOf(ctx), ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

/** Attempts by delivery, oldest first. */
export const attemptsByDelivery: Loader<string, WebhookAttempt[]> = loader(async (ctx, ids) => {
  const rows = await ctx.sql.query<WebhookAttempt>(
    `SELECT delivery_id, number, started_at, duration_ms, response_status, error, response_excerpt
       FROM engagement.webhook_attempts WHERE ${inScope()} AND delivery_id = ANY($3::uuid[])
      ORDER BY delivery_id, number`,
    [...scopeOf(ctx), ids],
  );
  return Map.groupBy(rows, ({ deliveryId }) => deliveryId);
});

/** Events by id, which is the `webhook-id` of their deliveries. */
export const eventById: Loader<string, DeliveredEvent> = loader(async (ctx, ids) => {
  const rows = await ctx.sql.query<DeliveredEvent>(
    `SELECT id, type, created_at, sequence, tier, payload
       FROM engagement.webhook_events WHERE ${inScope()} AND id = ANY($3::uuid[])`,
    [...scopeOf(ctx), ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

/**
 * A condition that lets the planner use the index of failed deliveries: all deliveries with these statuses
 * have an error.
 */
const failed = (status: DeliveryStatus | null): string =>
  status && ['RETRYING', 'FAILED', 'DEAD'].includes(status) ? 'd.error IS NOT NULL AND ' : '';

/**
 * The SQL conditions of a filter. Absent conditions are omitted, so that the planner finds the right index.
 * Ids of deliveries contain the time of creation.
 */
function conditionsOf(filter: DeliveryFilter): readonly (readonly [condition: string, value: unknown])[] {
  const { endpointId, status, eventType, createdFrom, createdUntil } = filter;
  const all = [
    ['d.endpoint_id =', endpointId],
    [`${failed(status)}d.status =`, status],
    ['d.event_type =', eventType],
    ['d.id >=', createdFrom && firstIdAt(createdFrom)],
    ['d.id <', createdUntil && firstIdAt(createdUntil)],
  ] as const;
  return all.filter(([, value]) => value !== null);
}

/** A page of matching deliveries, newest first. */
export async function deliveriesPage(
  ctx: Context,
  request: PageRequest,
  filter: DeliveryFilter,
): Promise<Page<WebhookDelivery>> {
  const conditions = conditionsOf(filter);
  const where = [inScope('d'), ...conditions.map(([text], index) => `${text} $${index + 3}`)].join(' AND ');
  const params = [...scopeOf(ctx), ...conditions.map(([, value]) => value)];
  const { order, beyond } = scan(request);
  const [cursor, limit, offset] = [1, 2, 3].map((more) => `$${params.length + more}`);
  const rows = await ctx.sql.query<WebhookDelivery>(
    `SELECT ${deliveryColumns('d')} FROM engagement.webhook_deliveries AS d
      WHERE ${where} AND (${cursor}::uuid IS NULL OR d.id ${beyond} ${cursor})
      ORDER BY d.id ${order} LIMIT ${limit} OFFSET ${offset}`,
    [...params, request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows, async () => {
    const [counted] = await ctx.sql.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM engagement.webhook_deliveries AS d WHERE ${where}`,
      params,
    );
    return counted?.total ?? 0;
  });
}

/** The position of a reader of changes: after this delivery, in the order of changes. */
export interface ChangeCursor {
  readonly updatedAt: Date;
  readonly id: string;
}

/** Returns deliveries that changed after the cursor, in the order of their changes. */
export async function changedDeliveries(
  { sql, scope }: Pick<Context, 'sql' | 'scope'>,
  endpointId: string | null,
  { updatedAt, id }: ChangeCursor,
  limit: number,
): Promise<WebhookDelivery[]> {
  return sql.query<WebhookDelivery>(
    `SELECT ${deliveryColumns('d')} FROM engagement.webhook_deliveries AS d
      WHERE ${inScope('d')} AND ($3::uuid IS NULL OR d.endpoint_id = $3)
        AND (d.updated_at, d.id) > ($4::timestamptz, $5::uuid)
      ORDER BY d.updated_at, d.id LIMIT $6`,
    [...scopeOf({ scope }), endpointId, updatedAt, id, limit],
  );
}
