import { unavailable } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import webPush from 'web-push';
import { heldSources, isSendingStopped } from '../limits/limits.service.ts';
import { type BatchContent, type CheckedNotification, notificationFor } from './notification.ts';
import {
  CONTENT_SEALED_AS,
  claimBatch,
  deleteBatch,
  endClaim,
  type PushBatch,
  removeFromBatch,
} from './push-batches.store.ts';
import { leasedFrom } from './push-sending.service.ts';
import {
  deleteBrowsers,
  findBrowsers,
  type KeptSubscription,
  type PushKeys,
  pushKeys,
  type Subscription,
} from './push-subscriptions.service.ts';

/** Concurrency limit: requests of one job. */
const CONCURRENCY = 10;

/** GONE: the push service no longer knows the browser. LATER: the push service is unavailable or busy. */
type Outcome = 'ACCEPTED' | 'GONE' | 'REFUSED' | 'LATER';

/**
 * Sends a batch to the browsers that have not received it yet. Browsers that are gone are deleted. A held
 * batch is not sent; `releasePushes` requests it again.
 *
 * @throws AppError PUSH_SERVICE_UNAVAILABLE (503) if some browsers must be retried; the others do not receive
 * it again. PUSH_BATCH_TAKEN (503) while another worker sends it
 */
export async function sendBatch(ctx: Context, id: string): Promise<void> {
  const batch = await claimBatch(ctx, id, leasedFrom(ctx));
  if (!batch) return;
  if (batch === 'TAKEN') throw unavailable('PUSH_BATCH_TAKEN', 'Another worker sends this batch.');
  if (batch.expiresAt <= ctx.clock.now()) return deleteBatch(ctx, id);
  // Read after the claim: a later hold of the source sees the claim and waits.
  if (await isHeld(ctx, batch)) return endClaim(ctx, id);
  const browsers = await findBrowsers(ctx, batch.subscriptionIds);
  const outcomes = await sendAll(ctx, batch, browsers);
  const withOutcome = (outcome: Outcome) =>
    browsers.flatMap((browser, place) => (outcomes[place] === outcome ? [browser.id] : []));
  const later = withOutcome('LATER');
  await deleteBrowsers(ctx, withOutcome('GONE'));
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

/** Deletes a batch after its last retry. */
export const deleteFailedBatch = (ctx: Context, id: string): Promise<void> => deleteBatch(ctx, id);

/**
 * Sends to all browsers and returns the outcomes in their order. A slow push service occupies only one of the
 * concurrent requests.
 */
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
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, browsers.length) }, work));
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

/**
 * The sender: the workspace's keys, and the contact of the operator for push services (RFC 8292, section
 * 2.1).
 */
export interface PushSender extends PushKeys {
  /** A `mailto:` or https URL. */
  readonly subject: string;
}

/**
 * Creates the request to a push service. The notification is encrypted for the browser (RFC 8291) and signed
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
  // The HTTP client sets the length itself.
  const { 'Content-Length': _, ...own } = headers;
  const texts = Object.entries(own).map(([name, value]) => [name, String(value)]);
  return { url: endpoint, headers: Object.fromEntries(texts) as Record<string, string>, body };
}

/**
 * Returns the contact of the operator: the product's URL, or the sender address of its mails if the URL is
 * not https.
 */
export function subjectOf(config: {
  readonly PUBLIC_URL?: string | undefined;
  readonly MAIL_FROM: string;
}): string {
  const { PUBLIC_URL, MAIL_FROM } = config;
  if (PUBLIC_URL?.startsWith('https://')) return PUBLIC_URL;
  return `mailto:${/<([^>]+)>/.exec(MAIL_FROM)?.[1] ?? MAIL_FROM}`;
}
