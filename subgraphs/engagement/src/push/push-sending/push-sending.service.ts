import { addMs } from '@loyalty/platform/clock';
import type { Context } from '@loyalty/platform/context';
import { publishAll } from '@loyalty/platform/outbox/events';
import { newId } from '@loyalty/platform/values/ids';
import { browsersOf } from '../push-subscriptions/push-subscriptions.service.ts';
import { batchesOf, contentOf } from './batch-content.ts';
import { type CheckedNotification, checkNotification, type Notification } from './notification.ts';
import { CONTENT_SEALED_AS, insertBatches } from './push-batches.store.ts';
import { pushRequested } from './push-sending.events.ts';

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
