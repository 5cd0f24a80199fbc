import { type KeyObject, X509Certificate } from 'node:crypto';
import type { Context } from '@loyalty/platform/context';
import { unavailable } from '@loyalty/platform/errors';
import { LRUCache } from 'lru-cache';

/** Whether only Amazon can serve this address, as certificates and confirmations of SNS are. */
export function isSnsUrl(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    url.protocol === 'https:' &&
    url.port === '' &&
    !url.username &&
    /^sns\.[a-z]{2}(-[a-z]+)+-\d{1,2}\.amazonaws\.com(\.cn)?$/.test(url.hostname)
  );
}

/** A certificate has an address of its own, so that what is kept never changes. */
const kept = new LRUCache<string, KeyObject>({ max: 50, ttl: 24 * 3_600_000 });

const TIMEOUT_MS = 3_000;

/**
 * The key that SNS signs with, from its certificate.
 *
 * @param url - for which `isSnsUrl` holds
 * @throws AppError NOTICE_UNVERIFIED (503): SNS sends the message again
 */
export async function snsPublicKey(ctx: Context, url: string): Promise<KeyObject> {
  const known = kept.get(url);
  if (known) return known;
  const key = await fetchKey(ctx, url);
  kept.set(url, key);
  return key;
}

async function fetchKey(ctx: Context, url: string): Promise<KeyObject> {
  try {
    return new X509Certificate(await getFromSns(ctx, url)).publicKey;
  } catch {
    throw unavailable('NOTICE_UNVERIFIED', 'The certificate of this notice cannot be read. Send it again.');
  }
}

/** @throws Error for any status but 200 */
export async function getFromSns(ctx: Context, url: string): Promise<Buffer> {
  const { status, body } = await ctx.services.http.request({ method: 'GET', url, timeoutMs: TIMEOUT_MS });
  if (status !== 200) throw new Error(`SNS answered ${status}.`);
  return body;
}
