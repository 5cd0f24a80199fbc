import { addMs } from '@loyalty/platform/base/clock';
import { notFound } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/identity/audit';
import { publishAll } from '@loyalty/platform/work/events';
import { LEASE_MS } from '../limits/message-queue.ts';
import { findMember } from '../peers.ts';
import {
  batchesOf,
  type CheckedNotification,
  checkNotification,
  contentOf,
  type Notification,
} from './notification.ts';
import { pushRequested } from './push.events.ts';
import {
  batchesOfSource,
  CONTENT_SEALED_AS,
  deleteWaiting,
  hasClaimed,
  insertBatches,
} from './push-batches.store.ts';
import { browsersOf } from './push-subscriptions.service.ts';

/** A notification and the browsers that receive it. */
export interface AddressedPush {
  readonly notification: CheckedNotification;
  readonly subscriptionIds: readonly string[];
  /** The campaign, journey or automation that sends the notification. */
  readonly sourceId: string | null;
}

/** Batch size: browsers per job. */
const BATCH = 100;

/**
 * Minimum time of retries while a push service is unavailable, even for a notification with a shorter
 * lifetime.
 */
const SENDING_SECONDS_MIN = 60;

/**
 * Sends a notification to all browsers of these members, in the background: it is queued in the caller's
 * transaction. Each browser receives it once, except that it may be repeated after a crash. Then it replaces
 * a notification of the same topic. In test mode nothing is sent.
 *
 * @param push.memberIds - of the caller's workspace and mode; up to some thousands
 * @returns the number of browsers
 * @throws AppError VALIDATION_FAILED (400) naming a field of the notification
 */
export async function sendPush(
  ctx: Context,
  push: { readonly memberIds: readonly string[]; readonly notification: Notification },
): Promise<number> {
  const notification = checkNotification(push.notification);
  const subscriptionIds = await browsersOf(ctx, push.memberIds);
  return sendPushes(ctx, [{ notification, subscriptionIds, sourceId: null }]);
}

/**
 * As `sendPush`, for validated notifications, each to its own browsers.
 *
 * @returns the number of browsers; zero in test mode
 */
export async function sendPushes(ctx: Context, pushes: readonly AddressedPush[]): Promise<number> {
  const browsers = pushes.reduce((sum, { subscriptionIds }) => sum + subscriptionIds.length, 0);
  if (ctx.scope.mode === 'TEST' || browsers === 0) return 0;
  const keyring = await ctx.services.keyring.of(ctx.scope.workspaceId);
  const bySource = Map.groupBy(pushes, ({ sourceId }) => sourceId);
  const batches = [...bySource].flatMap(([sourceId, own]) =>
    batchesOf(addressedBrowsers(own), BATCH).map((part) => {
      const contentSealed = keyring.seal(JSON.stringify(contentOf(part)), CONTENT_SEALED_AS);
      return { id: newId(ctx.clock), sourceId, subscriptionIds: part.map(({ id }) => id), contentSealed };
    }),
  );
  const ttlSeconds = Math.max(
    SENDING_SECONDS_MIN,
    ...pushes.map(({ notification }) => notification.ttlSeconds),
  );
  const expiresAt = addMs(ctx.clock.now(), ttlSeconds * 1_000);
  await ctx.transaction(async (tx) => {
    await insertBatches(tx, batches, expiresAt);
    const events = batches.map(({ id }) => ({ pushBatchId: id }));
    await publishAll(tx, pushRequested, events);
  });
  return browsers;
}

const addressedBrowsers = (pushes: readonly AddressedPush[]) =>
  pushes.flatMap(({ notification, subscriptionIds }) => subscriptionIds.map((id) => ({ id, notification })));

/** The time from which leases of batches are still valid. */
export const leasedFrom = ({ clock }: Context): Date => addMs(clock.now(), -LEASE_MS);

/** Whether a worker is sending a batch of the source, or of any source. */
export const hasRunningPushes = (ctx: Context, sourceId: string | null): Promise<boolean> =>
  hasClaimed(ctx, sourceId, leasedFrom(ctx));

/** Releases the held batches of a source, or of all sources. */
export async function releasePushes(tx: Context, sourceId: string | null): Promise<void> {
  const ids = await batchesOfSource(tx, sourceId);
  await publishAll(
    tx,
    pushRequested,
    ids.map((pushBatchId) => ({ pushBatchId })),
  );
}

/** Deletes the batches of a source that no worker is sending. */
export const deletePushes = (tx: Context, sourceId: string): Promise<void> =>
  deleteWaiting(tx, sourceId, leasedFrom(tx));

/**
 * Sends a test notification to every browser of a member. Audited.
 *
 * @throws AppError MEMBER_NOT_FOUND (404), PEER_UNAVAILABLE (503)
 */
export async function sendTestPush(ctx: Context, memberId: string): Promise<{ browsers: number }> {
  if (!(await findMember(ctx, memberId))) throw notFound('member', memberId);
  const notification = {
    title: 'Test notification',
    body: 'Web push works.',
    topic: 'test',
    ttlSeconds: 300,
  };
  return ctx.transaction(async (tx) => {
    const browsers = await sendPush(tx, { memberIds: [memberId], notification });
    const after = { browsers };
    await audit(tx, { action: 'sendTestPush', resourceType: 'Member', resourceId: memberId, after });
    return { browsers };
  });
}
