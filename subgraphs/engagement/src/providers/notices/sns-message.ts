import { verify } from 'node:crypto';
import type { Context } from '@loyalty/platform/context';
import { invalid } from '@loyalty/platform/errors';
import { checkSignedAt, objectOf, readJson, signatureInvalid } from './notice.ts';
import { isSnsUrl, snsPublicKey } from './sns-certificates.ts';

/** A message of Amazon SNS whose signature was checked. */
export interface SnsMessage {
  readonly type: 'Notification' | 'SubscriptionConfirmation' | 'UnsubscribeConfirmation';
  readonly messageId: string;
  /** Of a notification: what was published. */
  readonly message: string;
  /** Of a confirmation: what a GET of it confirms. */
  readonly subscribeUrl: string;
}

type Envelope = Readonly<Record<string, unknown>>;

/** What is signed, in this order; fields that a message lacks are left out. */
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

/** SNS tries for an hour to deliver a message, with the signature of its first attempt. */
const SIGNED_MS_MAX = 65 * 60_000;

const ALGORITHMS = new Map<unknown, string>([
  ['1', 'sha1'],
  ['2', 'sha256'],
]);

/**
 * Reads a message of SNS: https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
 * Everybody can have SNS sign messages, so only those of the given topic count.
 *
 * @throws AppError SIGNATURE_INVALID (400), VALIDATION_FAILED (400), NOTICE_UNVERIFIED (503)
 */
export async function readSnsMessage(ctx: Context, topicArn: string, payload: string): Promise<SnsMessage> {
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
