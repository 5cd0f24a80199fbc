import { type KeyObject, verify, X509Certificate } from 'node:crypto';
import { invalid, unavailable } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { LRUCache } from 'lru-cache';
import {
  bounceDetail,
  checkSignedAt,
  eventTime,
  type MailNotice,
  objectOf,
  readJson,
  type SignedNotice,
  signatureInvalid,
  textOf,
} from './notice.ts';

/** Kinds of notices, and the field with their details. */
const kinds = new Map<unknown, readonly [MailNotice['kind'], string]>([
  ['Delivery', ['DELIVERED', 'delivery']],
  ['Bounce', ['BOUNCED', 'bounce']],
  ['Complaint', ['COMPLAINED', 'complaint']],
]);

/**
 * Reads notices of SES, which arrive through a topic of SNS. Confirms a new subscription of the topic.
 * https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html
 *
 * @throws AppError SIGNATURE_INVALID (400), VALIDATION_FAILED (400), NOTICE_UNVERIFIED (503)
 */
export async function readSesNotices(
  ctx: Context,
  topicArn: string,
  { payload }: SignedNotice,
): Promise<MailNotice[]> {
  const { type, messageId, message, subscribeUrl } = await readSnsMessage(ctx, topicArn, payload);
  if (type === 'SubscriptionConfirmation') await confirm(ctx, subscribeUrl);
  if (type !== 'Notification') return [];
  return noticesOf(messageId, objectOf(readJson(message)), ctx.clock.now());
}

async function confirm(ctx: Context, url: string): Promise<void> {
  if (!isSnsUrl(url)) throw signatureInvalid();
  try {
    await getFromSns(ctx, url);
  } catch {
    throw unavailable('NOTICE_UNVERIFIED', 'The subscription cannot be confirmed. Send it again.');
  }
}

/** The kind is `eventType` for a configuration set, and `notificationType` for an identity. */
function noticesOf(noticeId: string, notice: Readonly<Record<string, unknown>>, now: Date): MailNotice[] {
  const known = kinds.get(notice['eventType'] ?? notice['notificationType']);
  if (!known) return [];
  const [kind, field] = known;
  const about = objectOf(notice[field]);
  const { messageId, tags } = objectOf(notice['mail']);
  const isPermanent = kind === 'BOUNCED' && about['bounceType'] === 'Permanent';
  const [tag] = [objectOf(tags)['message_id']].flat();
  return [
    {
      noticeId,
      kind,
      isPermanent,
      detail: kind === 'BOUNCED' ? bounceDetail(isPermanent, statusOf(about)) : null,
      messageId: textOf(tag),
      providerMessageId: textOf(messageId),
      occurredAt: eventTime(about['timestamp'], now),
    },
  ];
}

function statusOf({ bouncedRecipients }: Readonly<Record<string, unknown>>): unknown {
  return Array.isArray(bouncedRecipients) ? objectOf(bouncedRecipients[0])['status'] : null;
}

/** A message of Amazon SNS with a valid signature. */
export interface SnsMessage {
  readonly type: 'Notification' | 'SubscriptionConfirmation' | 'UnsubscribeConfirmation';
  readonly messageId: string;
  /** For a notification: the published message. */
  readonly message: string;
  /** For a confirmation: the URL that confirms the subscription by GET. */
  readonly subscribeUrl: string;
}

type Envelope = Readonly<Record<string, unknown>>;

/** The signed fields, in this order. Absent fields are skipped. */
const signedFields: Readonly<Record<SnsMessage['type'], readonly string[]>> = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: [
    'Message',
    'MessageId',
    'SubscribeURL',
    'Timestamp',
    'Token',
    'TopicArn',
    'Type',
  ],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
};

/** SNS retries a message for an hour, with the signature of its first attempt. */
const SIGNED_MS_MAX = 65 * 60_000;

const ALGORITHMS = new Map<unknown, string>([
  ['1', 'sha1'],
  ['2', 'sha256'],
]);

/**
 * Reads a message of SNS: https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html SNS
 * signs messages of all its customers, so only messages of the given topic are accepted.
 *
 * @throws AppError SIGNATURE_INVALID (400), VALIDATION_FAILED (400), NOTICE_UNVERIFIED (503)
 */
async function readSnsMessage(ctx: Context, topicArn: string, payload: string): Promise<SnsMessage> {
  const envelope = objectOf(readJson(payload));
  const type = typeOf(envelope);
  if (envelope['TopicArn'] !== topicArn) throw signatureInvalid();
  checkSignedAt(Date.parse(String(envelope['Timestamp'])), ctx.clock.now(), SIGNED_MS_MAX);
  await checkSignature(ctx, envelope, signedFields[type]);
  return {
    type,
    messageId: String(envelope['MessageId']),
    message: String(envelope['Message']),
    subscribeUrl: String(envelope['SubscribeURL']),
  };
}

function typeOf({ Type }: Envelope): SnsMessage['type'] {
  if (typeof Type !== 'string' || !Object.hasOwn(signedFields, Type))
    throw invalid('payload', 'must be a message of SNS');
  return Type as SnsMessage['type'];
}

async function checkSignature(ctx: Context, envelope: Envelope, fields: readonly string[]): Promise<void> {
  const algorithm = ALGORITHMS.get(envelope['SignatureVersion']);
  const url = envelope['SigningCertURL'];
  if (!algorithm || typeof url !== 'string' || !isSnsUrl(url)) throw signatureInvalid();
  const key = await snsPublicKey(ctx, url);
  const signed = fields
    .filter((name) => envelope[name] !== undefined && envelope[name] !== null)
    .map((name) => `${name}\n${String(envelope[name])}\n`)
    .join('');
  const signature = Buffer.from(String(envelope['Signature']), 'base64');
  if (!verify(algorithm, Buffer.from(signed), key, signature)) throw signatureInvalid();
}

/** Whether the URL belongs to a server of Amazon, as certificates and confirmations of SNS do. */
function isSnsUrl(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    url.protocol === 'https:' &&
    url.port === '' &&
    !url.username &&
    /^sns\.[a-z]{2}(-[a-z]+)+-\d{1,2}\.amazonaws\.com(\.cn)?$/.test(url.hostname)
  );
}

/** Keys by the URL of their certificate. The certificate of a URL never changes. */
const publicKeys = new LRUCache<string, KeyObject>({ max: 50, ttl: 24 * 3_600_000 });

const TIMEOUT_MS = 3_000;

/**
 * Returns the public key of an SNS certificate.
 *
 * @param url - checked by `isSnsUrl`
 * @throws AppError NOTICE_UNVERIFIED (503); SNS then sends the message again
 */
async function snsPublicKey(ctx: Context, url: string): Promise<KeyObject> {
  const known = publicKeys.get(url);
  if (known) return known;
  const key = await fetchKey(ctx, url);
  publicKeys.set(url, key);
  return key;
}

async function fetchKey(ctx: Context, url: string): Promise<KeyObject> {
  try {
    return new X509Certificate(await getFromSns(ctx, url)).publicKey;
  } catch {
    throw unavailable('NOTICE_UNVERIFIED', 'The certificate of this notice cannot be read. Send it again.');
  }
}

/** @throws Error for a status other than 200 */
async function getFromSns(ctx: Context, url: string): Promise<Buffer> {
  const { status, body } = await ctx.services.http.request({ method: 'GET', url, timeoutMs: TIMEOUT_MS });
  if (status !== 200) throw new Error(`SNS answered ${status}.`);
  return body;
}
