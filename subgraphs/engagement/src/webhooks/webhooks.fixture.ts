import type { Context } from '@loyalty/platform/context';
import { newId } from '@loyalty/platform/values/ids';
import type { DeliveryStatus } from './deliveries/deliveries.store.ts';
import { createEndpoint, type WebhookEndpoint } from './endpoints/endpoints.service.ts';

/** An active endpoint for new members. */
export async function givenEndpoint(
  ctx: Context,
  url = 'https://hooks.example.com/loyalty',
): Promise<WebhookEndpoint> {
  return (await createEndpoint(ctx, { url, eventTypes: ['member.created'] })).endpoint;
}

/** An event that was kept, as the relay leaves it. */
async function givenEvent(ctx: Context, type = 'member.created'): Promise<string> {
  const id = newId(ctx.clock);
  await ctx.sql.query(
    `INSERT INTO engagement.webhook_events (workspace_id, mode, id, type, payload, sequence, created_at)
     VALUES ($1, $2::platform."Mode", $3, $4, $5, 7, $6)`,
    [ctx.scope.workspaceId, ctx.scope.mode, id, type, { memberId: newId(ctx.clock) }, ctx.clock.now()],
  );
  return id;
}

/** A delivery as a worker leaves it, of an event of its own. */
export async function givenDelivery(
  ctx: Context,
  endpointId: string,
  {
    status = 'DEAD',
    type = 'member.created',
    attempts = 1,
  }: {
    readonly status?: DeliveryStatus;
    readonly type?: string;
    readonly attempts?: number;
  } = {},
): Promise<{ readonly id: string; readonly eventId: string }> {
  const [id, eventId, now] = [newId(ctx.clock), await givenEvent(ctx, type), ctx.clock.now()];
  const dueAt = ['PENDING', 'RETRYING'].includes(status) ? now : null;
  const error = ['RETRYING', 'FAILED', 'DEAD'].includes(status) ? 'The endpoint answered 500.' : null;
  await ctx.sql.query(
    `INSERT INTO engagement.webhook_deliveries (workspace_id, mode, id, endpoint_id, event_id, event_type,
       status, attempts, due_at, error, created_at, updated_at)
     VALUES ($1, $2::platform."Mode", $3, $4, $5, $6, $7::engagement."DeliveryStatus", $8, $9, $11, $10, $10)`,
    [
      ...[ctx.scope.workspaceId, ctx.scope.mode, id, endpointId, eventId, type],
      ...[status, attempts, dueAt, now, error],
    ],
  );
  for (let number = 1; number <= attempts; number += 1) await givenAttempt(ctx, endpointId, id, number);
  return { id, eventId };
}

/** A request of a delivery that has ended; the last of a delivered one was answered with 200. */
export async function givenAttempt(
  ctx: Context,
  endpointId: string,
  deliveryId: string,
  number: number,
  { responseStatus = 500, durationMs = 10 * number } = {},
): Promise<void> {
  await ctx.sql.query(
    `INSERT INTO engagement.webhook_attempts (workspace_id, mode, delivery_id, number, endpoint_id,
       started_at, duration_ms, response_status, error, response_excerpt)
     VALUES ($1, $2::platform."Mode", $3, $4, $5, $6, $7, $8, $9, 'answer')`,
    [
      ...[ctx.scope.workspaceId, ctx.scope.mode, deliveryId, number, endpointId, ctx.clock.now()],
      ...[durationMs, responseStatus, responseStatus < 300 ? null : 'It answered 500.'],
    ],
  );
}
