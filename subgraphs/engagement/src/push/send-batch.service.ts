import { unavailable } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import webPush from 'web-push';
import { heldSources, isSendingStopped } from '../limits/limits.service.ts';
import { type BatchContent, type CheckedNotification, notificationFor } from './notification.ts';
import {
  CONTENT_SEALED_AS,
  deleteBatch,
  type PushBatch,
  putBack,
  removeFromBatch,
  takeBatch,
} from './push-batches.store.ts';
import { leasedFrom } from './push-sending.service.ts';
import {
  findBrowsers,
  forgetBrowsers,
  type KeptSubscription,
  type PushKeys,
  pushKeys,
  type Subscription,
} from './push-subscriptions.service.ts';

/** Requests of one job that run at the same time. */
const AT_ONCE = 10;

/** GONE: the push service does not know the browser any more. LATER: it is away or busy. */
type Outcome = 'ACCEPTED' | 'GONE' | 'REFUSED' | 'LATER';

/**
 * Sends a notification to the browsers of a batch that do not have it yet. Browsers that are gone are
 * deleted. What is held stays: `releasePushes` requests it again.
 *
 * @throws AppError PUSH_SERVICE_UNAVAILABLE (503) where some are to be tried again; what was sent is not
 * sent again. PUSH_BATCH_TAKEN (503) while somebody else sends it
 */
export async function sendBatch(ctx: Context, id: string): Promise<void> {
  const batch = await takeBatch(ctx, id, leasedFrom(ctx));
  if (!batch) return;
  if (batch === 'TAKEN') throw unavailable('PUSH_BATCH_TAKEN', 'Another worker sends this batch.');
  if (batch.expiresAt <= ctx.clock.now()) return deleteBatch(ctx, id);
  // After it was taken: who holds the source later sees that, and waits.
  if (await isHeld(ctx, batch)) return putBack(ctx, id);
  const browsers = await findBrowsers(ctx, batch.subscriptionIds);
  const outcomes = await sendAll(ctx, batch, browsers);
  const withOutcome = (outcome: Outcome) =>
    browsers.flatMap((browser, place) => (outcomes[place] === outcome ? [browser.id] : []));
  const later = withOutcome('LATER');
  await forgetBrowsers(ctx, withOutcome('GONE'));
  const refused = withOutcome('REFUSED').length;
  if (refused > 0) ctx.log.warn({ pushBatch: id, refused }, 'a push service refused notifications');
  if (later.length === 0) return deleteBatch(ctx, id);
  await removeFromBatch(
    ctx,
    id,
    batch.subscriptionIds.filter((each) => !later.includes(each)),
  );
  throw unavailable('PUSH_SERVICE_UNAVAILABLE', `${later.length} browsers could not be reached yet.`);
}

async function isHeld(ctx: Context, { sourceId }: PushBatch): Promise<boolean> {
  if (sourceId === null) return false;
  return (await heldSources(ctx, [sourceId])).has(sourceId) || (await isSendingStopped(ctx));
}

/** Deletes a batch that was tried too often. */
export const giveUpBatch = (ctx: Context, id: string): Promise<void> => deleteBatch(ctx, id);

/** The outcome of each, in their order; a slow push service holds up only its own place. */
async function sendAll(
  ctx: Context,
  { contentSealed, expiresAt }: PushBatch,
  browsers: readonly KeptSubscription[],
): Promise<Outcome[]> {
  const keyring = await ctx.services.keyring.of(ctx.scope.workspaceId);
  const content = JSON.parse(keyring.open(contentSealed, CONTENT_SEALED_AS)) as BatchContent;
  const left = Math.floor((expiresAt.getTime() - ctx.clock.now().getTime()) / 1_000);
  const sender = { ...(await pushKeys(ctx)), subject: subjectOf(ctx.services.config) };
  const outcomes: Outcome[] = [];
  const waiting = browsers.entries();
  const work = async (): Promise<void> => {
    for (const [place, browser] of waiting) {
      const notification = notificationFor(content, browser.id);
      const ttlSeconds = Math.min(notification.ttlSeconds, left);
      outcomes[place] = await send(ctx, browser, notification, { ...sender, ttlSeconds });
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, browsers.length) }, work));
  return outcomes;
}

async function send(
  ctx: Context,
  browser: KeptSubscription,
  notification: CheckedNotification,
  sender: PushSender & { readonly ttlSeconds: number },
): Promise<Outcome> {
  const request = pushRequest(browser, notification, sender);
  try {
    const { status } = await ctx.services.http.request({ method: 'POST', ...request });
    return outcomeOf(status);
  } catch (error) {
    return (error as { code?: unknown }).code === 'OUTBOUND_REFUSED' ? 'REFUSED' : 'LATER';
  }
}

function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return 'ACCEPTED';
  if (status === 404 || status === 410) return 'GONE';
  return status === 429 || status >= 500 ? 'LATER' : 'REFUSED';
}

/** Who sends: the workspace's keys, and how a push service reaches the operator (RFC 8292, section 2.1). */
export interface PushSender extends PushKeys {
  /** `mailto:` or https. */
  readonly subject: string;
}

/**
 * The request that hands a notification to a push service, encrypted for the browser (RFC 8291) and signed
 * by the workspace (RFC 8292).
 */
export function pushRequest(
  { endpoint, keys }: Subscription,
  { payload, topic }: CheckedNotification,
  { subject, publicKey, privateKey, ttlSeconds }: PushSender & { readonly ttlSeconds: number },
): { readonly url: string; readonly headers: Record<string, string>; readonly body: Buffer } {
  const { headers, body } = webPush.generateRequestDetails({ endpoint, keys }, payload, {
    vapidDetails: { subject, publicKey, privateKey },
    contentEncoding: 'aes128gcm',
    TTL: ttlSeconds,
    ...(topic && { topic }),
  });
  // The client sets the length itself.
  const { 'Content-Length': _, ...own } = headers;
  const texts = Object.entries(own).map(([name, value]) => [name, String(value)]);
  return { url: endpoint, headers: Object.fromEntries(texts) as Record<string, string>, body };
}

/** The address of the operator: the product's own, or that of its mails where that is not https. */
export function subjectOf(config: {
  readonly PUBLIC_URL?: string | undefined;
  readonly MAIL_FROM: string;
}): string {
  const { PUBLIC_URL, MAIL_FROM } = config;
  if (PUBLIC_URL?.startsWith('https://')) return PUBLIC_URL;
  return `mailto:${/<([^>]+)>/.exec(MAIL_FROM)?.[1] ?? MAIL_FROM}`;
}
