import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemCaller } from '@loyalty/platform/base/caller';
import { newId } from '@loyalty/platform/base/ids';
import type { Context, Services } from '@loyalty/platform/context';
import { createContext } from '@loyalty/platform/database/create-context';
import { createHttpClient } from '@loyalty/platform/outbound/http-client';
import type { PublishedEvent } from '@loyalty/platform/work/events';
import type { DeliveryStatus } from './deliveries.store.ts';
import { createEndpoint, newSigningSecret, type WebhookEndpoint } from './endpoints.service.ts';
import { keepEvents, makeDeliveries } from './fan-out.service.ts';
import { drain, sendDue } from './sending.service.ts';

/** Creates an active endpoint that subscribes to new members. */
export async function givenEndpoint(
  ctx: Context,
  url = 'https://hooks.example.com/loyalty',
): Promise<WebhookEndpoint> {
  return (await createEndpoint(ctx, { url, eventTypes: ['member.created'] })).endpoint;
}

/** Inserts a stored event, as the relay does. */
async function givenEvent(ctx: Context, type = 'member.created'): Promise<string> {
  const id = newId(ctx.clock);
  await ctx.sql.query(
    `INSERT INTO engagement.webhook_events (workspace_id, mode, id, type, payload, sequence, created_at)
     VALUES ($1, $2::platform."Mode", $3, $4, $5, 7, $6)`,
    [ctx.scope.workspaceId, ctx.scope.mode, id, type, { memberId: newId(ctx.clock) }, ctx.clock.now()],
  );
  return id;
}

/** Inserts a new event and its delivery, as a worker leaves them. */
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

/** Inserts a finished attempt of a delivery. The last attempt of a DELIVERED delivery has the status 200. */
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

/** A request that the receiver received. */
export interface ReceivedDelivery {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly host: string;
  readonly received: ReceivedDelivery[];
  /** The response of the receiver. Default: 200. */
  answer: (response: ServerResponse, request: ReceivedDelivery) => void;
  close(): void;
}

/** Starts an HTTP server on this machine that receives webhooks. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      const one = { path: request.url!, headers: request.headers, body };
      receiver.received.push(one);
      receiver.answer(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const receiver: Receiver = {
    url: `http://${host}`,
    host,
    received: [],
    answer: (response) => void response.end('ok'),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}

/** Services that may send to addresses of this machine. */
export const sendingTo = (services: Services, ...hosts: string[]): Services => ({
  ...services,
  http: createHttpClient({ allow: hosts, timeoutMs: 500 }),
});

/** The context of a worker. */
export const workerContext = (services: Services): Context =>
  createContext(services, { caller: systemCaller('test'), requestId: 'test' });

/** Inserts an endpoint with the private address of a receiver, which the API would refuse. */
export async function givenReceiver(
  ctx: Context,
  url: string,
  eventTypes: readonly string[],
): Promise<{ readonly id: string; readonly secret: string }> {
  const id = newId(ctx.clock);
  const { secret, sealed } = await newSigningSecret(ctx);
  await ctx.sql.query(
    `INSERT INTO engagement.webhook_endpoints
            (workspace_id, mode, id, url, event_types, secret_sealed, actor, created_at, updated_at)
     VALUES ($1, $2::platform."Mode", $3, $4, $5, $6, 'test', $7, $7)`,
    [ctx.scope.workspaceId, ctx.scope.mode, id, url, eventTypes, sealed, ctx.clock.now()],
  );
  return { id, secret };
}

/** An event as the relay passes it on. */
export const eventOf = (ctx: Context, type: string, payload: object): PublishedEvent => ({
  id: newId(ctx.clock),
  type,
  workspaceId: ctx.scope.workspaceId,
  mode: ctx.scope.mode,
  payload,
  createdAt: ctx.clock.now(),
  actor: ctx.caller.actor,
});

/** Passes events on, as the relay does, and makes their deliveries. */
export async function fanOut(services: Services, ...events: PublishedEvent[]): Promise<void> {
  const worker = workerContext(services);
  await worker.transaction((tx) => keepEvents(tx, events));
  while ((await makeDeliveries(worker)).isMore);
}

/** Sends due deliveries and waits for their results. */
export async function sendAll(services: Services): Promise<void> {
  const worker = workerContext(services);
  await sendDue(worker);
  await drain(worker);
}

export interface DeliveryRow {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly status: string;
  readonly attempts: number;
  readonly dueAt: Date | null;
  readonly responseStatus: number | null;
  readonly error: string | null;
}

/** Deliveries of the workspace and mode, oldest first. */
export const deliveriesOf = (ctx: Context): Promise<DeliveryRow[]> =>
  ctx.sql.query<DeliveryRow>(
    `SELECT id, endpoint_id, event_id, status, attempts, due_at, response_status, error
       FROM engagement.webhook_deliveries
      WHERE workspace_id = $1 AND mode = $2::platform."Mode" ORDER BY created_at, event_id, id`,
    [ctx.scope.workspaceId, ctx.scope.mode],
  );
