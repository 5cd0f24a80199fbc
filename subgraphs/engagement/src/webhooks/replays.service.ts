import { AppError, conflict, invalid, notFound } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import { between } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { setStatementTimeout } from '@loyalty/platform/database/statement-timeout';
import { audit } from '@loyalty/platform/identity/audit';
import { findDelivery, type WebhookDelivery } from './deliveries.service.ts';
import { publishDeliveriesMade } from './delivery-channels.ts';
import { findEndpoint, getEndpoint } from './endpoints.service.ts';
import {
  countMatching,
  insertPing,
  insertReplay,
  insertReplays,
  lockReplays,
  type ReplayFilter,
} from './replays.store.ts';

/** The conditions of a client on the deliveries to replay. */
type ReplayConditions = Pick<ReplayFilter, 'endpointId'> & {
  readonly [K in keyof ReplayFilter]?: ReplayFilter[K] | undefined;
};

const REPLAYS_MAX = 100_000;
const REPLAY_SECONDS = 25;

/**
 * Sends a test message to an endpoint. It is not an event of the workspace and has no sequence number.
 *
 * @throws AppError WEBHOOK_ENDPOINT_NOT_FOUND (404), WEBHOOK_ENDPOINT_NOT_ACTIVE (409)
 * @remarks Source: v2 REST API, section 6.7
 */
export async function pingWebhook(ctx: Context, endpointId: string): Promise<WebhookDelivery> {
  return ctx.transaction(async (tx) => {
    await requireActive(tx, endpointId);
    const ids = { eventId: newId(tx.clock), deliveryId: newId(tx.clock) };
    const delivery = await insertPing(tx, endpointId, ids);
    await note(tx, 'pingWebhook', endpointId, { deliveryId: delivery.id });
    publishDeliveriesMade(tx, endpointId);
    return delivery;
  });
}

/**
 * Sends the event of a delivery to its endpoint again. The delivery may have any status.
 *
 * @throws AppError WEBHOOK_DELIVERY_NOT_FOUND (404), WEBHOOK_ENDPOINT_NOT_ACTIVE (409), EVENT_EXPIRED (410)
 * @remarks Source: v2 REST API, section 6.7
 */
export async function replayDelivery(ctx: Context, id: string): Promise<WebhookDelivery> {
  const former = await findDelivery(ctx, id);
  if (!former) throw notFound('webhook delivery', id);
  const { endpointId } = former;
  return ctx.transaction(async (tx) => {
    if (!(await findEndpoint(tx, endpointId)))
      throw conflict('WEBHOOK_ENDPOINT_NOT_ACTIVE', 'The endpoint of this delivery was deleted.');
    await requireActive(tx, endpointId);
    const replay = await insertReplay(tx, id, newId(tx.clock));
    if (!replay) throw new AppError('GONE', 'EVENT_EXPIRED', 'The event of this delivery is kept no longer.');
    await note(tx, 'replayDelivery', endpointId, { replayOf: id, deliveryId: replay.id });
    publishDeliveriesMade(tx, endpointId);
    return replay;
  });
}

/**
 * Counts the deliveries that `replayDeliveries` would replay, up to 100,001.
 *
 * @throws AppError WEBHOOK_ENDPOINT_NOT_FOUND (404)
 */
export async function countReplays(ctx: Context, asked: ReplayConditions): Promise<number> {
  const filter = filterOf(asked);
  await getEndpoint(ctx, filter.endpointId);
  return ctx.transaction(async (tx) => {
    await setStatementTimeout(tx, { statement: REPLAY_SECONDS });
    return countMatching(tx, filter, REPLAYS_MAX + 1);
  });
}

/**
 * Replays all matching deliveries of an endpoint, or none. Deliveries that were replayed already are skipped,
 * so two concurrent calls replay each delivery once.
 *
 * @param expectedCount - the count that the caller expects, 1 to 100,000
 * @returns the number of replayed deliveries
 * @throws AppError VALIDATION_FAILED (400), WEBHOOK_ENDPOINT_NOT_FOUND (404), WEBHOOK_ENDPOINT_NOT_ACTIVE,
 * REPLAY_COUNT_EXCEEDED (409)
 */
export async function replayDeliveries(
  ctx: Context,
  asked: ReplayConditions,
  expectedCount: number,
): Promise<number> {
  if (expectedCount < 1 || expectedCount > REPLAYS_MAX)
    throw invalid('expectedCount', between(1, REPLAYS_MAX));
  const filter = filterOf(asked);
  const { endpointId, since, until } = filter;
  return ctx.transaction(async (tx) => {
    await requireActive(tx, endpointId);
    await setStatementTimeout(tx, { statement: REPLAY_SECONDS });
    await lockReplays(tx, endpointId);
    const ids = Array.from({ length: expectedCount }, () => newId(tx.clock));
    const count = await insertReplays(tx, filter, ids);
    if (count > expectedCount)
      throw conflict(
        'REPLAY_COUNT_EXCEEDED',
        `More than ${expectedCount} deliveries match now. Count them again, or choose a shorter time.`,
      );
    if (count === 0) return 0;
    const { status, eventType } = filter;
    await note(tx, 'replayDeliveries', endpointId, { status, eventType, since, until, count });
    publishDeliveriesMade(tx, endpointId);
    return count;
  });
}

const filterOf = ({
  endpointId,
  status = null,
  eventType = null,
  since = null,
  until = null,
}: ReplayConditions): ReplayFilter => ({ endpointId, status, eventType, since, until });

async function requireActive(ctx: Context, endpointId: string): Promise<void> {
  const { status } = await getEndpoint(ctx, endpointId);
  if (status === 'ACTIVE') return;
  throw conflict(
    'WEBHOOK_ENDPOINT_NOT_ACTIVE',
    `The endpoint is ${status.toLowerCase()}. Set its status to active first.`,
  );
}

const note = (tx: Context, action: string, resourceId: string, after: Readonly<Record<string, unknown>>) =>
  audit(tx, { action, resourceType: 'WebhookEndpoint', resourceId, after });
