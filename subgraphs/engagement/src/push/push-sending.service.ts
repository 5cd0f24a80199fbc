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
  anyTaken,
  batchesOfSource,
  CONTENT_SEALED_AS,
  deleteWaiting,
  insertBatches,
} from './push-batches.store.ts';
import { browsersOf } from './push-subscriptions.service.ts';

/** A notification and the browsers that get it. */
export interface AddressedPush {
  readonly notification: CheckedNotification;
  readonly subscriptionIds: readonly string[];
  /** The campaign, journey or automation whose message it is. */
  readonly sourceId: string | null;
}

/** Browsers that one job sends to. */
const BATCH = 100;

/** A push service that is away may come back, even for a notification that is not to be kept. */
const SENDING_SECONDS_MIN = 60;

/**
 * Sends a notification to every browser of these members, in the background: it is queued with the caller's
 * transaction. Each browser gets it once, as far as push services allow: after a crash it may come again, and
 * replaces what is shown of the same topic. In test mode nobody is contacted.
 *
 * @param push.memberIds - of the caller's workspace and mode; up to some thousand
 * @returns how many browsers it is sent to
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
 * As `sendPush`, for notifications that are checked already, each to browsers of its own.
 *
 * @returns how many browsers they are sent to: none in test mode
 */
export async function sendPushes(ctx: Context, pushes: readonly AddressedPush[]): Promise<number> {
  const browsers = pushes.reduce((sum, { subscriptionIds }) => sum + subscriptionIds.length, 0);
  if (ctx.scope.mode === 'TEST' || browsers === 0) return 0;
  const keyring = await ctx.services.keyring.of(ctx.scope.workspaceId);
  const bySource = Map.groupBy(pushes, ({ sourceId }) => sourceId);
  const batches = [...bySource].flatMap(([sourceId, own]) =>
    batchesOf(addressed(own), BATCH).map((part) => {
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

const addressed = (pushes: readonly AddressedPush[]) =>
  pushes.flatMap(({ notification, subscriptionIds }) => subscriptionIds.map((id) => ({ id, notification })));

/** Who took a batch earlier is given up. */
export const leasedFrom = ({ clock }: Context): Date => addMs(clock.now(), -LEASE_MS);

/** Is a push of the source, or of any source, on its way to a push service? */
export const pushesInHands = (ctx: Context, sourceId: string | null): Promise<boolean> =>
  anyTaken(ctx, sourceId, leasedFrom(ctx));

/** Lets the pushes of a source, or of all sources, be sent that were kept back while it was held. */
export async function releasePushes(tx: Context, sourceId: string | null): Promise<void> {
  const ids = await batchesOfSource(tx, sourceId);
  await publishAll(
    tx,
    pushRequested,
    ids.map((pushBatchId) => ({ pushBatchId })),
  );
}

/** Deletes the pushes of a source that are not on their way yet. */
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
