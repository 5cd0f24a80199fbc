import webPush from 'web-push';
import type { PushKeys } from '../push-keys/push-keys.service.ts';
import type { Subscription } from '../push-subscriptions/push-subscriptions.service.ts';
import type { CheckedNotification } from './notification.ts';

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
