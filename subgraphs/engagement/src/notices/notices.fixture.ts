import { createHmac, createSign, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { EMAIL_INDEX } from '@loyalty/platform/base/email';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';

/** Inserts a message, as the sending loop leaves it. */
export async function sentMessage(
  ctx: Context,
  email: string,
  provider: { id: string; messageId: string },
  memberId: string | null = null,
): Promise<{ id: string; emailIndex: string }> {
  const id = newId(ctx.clock);
  const { workspaceId } = ctx.scope;
  const emailIndex = (await ctx.services.keyring.of(workspaceId)).index(email, EMAIL_INDEX);
  await ctx.prisma.message.createMany({
    data: [
      {
        id,
        category: 'MARKETING',
        emailIndex,
        memberId,
        idempotencyKey: id,
        status: 'SENT',
        providerId: provider.id,
        providerMessageId: provider.messageId,
        actor: 'system:test',
        createdAt: ctx.clock.now(),
      } as never,
    ],
  });
  return { id, emailIndex };
}

export interface Stored {
  readonly status: string;
  readonly events: readonly string[];
  readonly reasons: readonly string[];
}

/** Returns the stored state of a message and the suppressions of its address. */
export async function stored(ctx: Context, message: { id: string; emailIndex: string }): Promise<Stored> {
  const [row] = await ctx.sql.query<Stored>(
    `SELECT status, array(SELECT kind || coalesce(' ' || detail, '') FROM engagement.message_events AS e
                           WHERE e.workspace_id = $1 AND e.message_id = m.id ORDER BY e.id) AS events,
            array(SELECT reason::text FROM engagement.suppressions AS s
                   WHERE s.workspace_id = $1 AND s.email_index = $3 ORDER BY 1) AS reasons
       FROM engagement.messages AS m WHERE workspace_id = $1 AND id = $2`,
    [ctx.scope.workspaceId, message.id, message.emailIndex],
  );
  return row!;
}

const seconds = (at: Date): string => String(Math.floor(at.getTime() / 1_000));

/** A notice signed as https://www.standardwebhooks.com describes. */
export function signedResend(secret: string, payload: string, at: Date, id = 'msg_1') {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signedAt = seconds(at);
  const signature = createHmac('sha256', key).update(`${id}.${signedAt}.${payload}`).digest('base64');
  return { payload, signatureId: id, signedAt, signature: `v1,bm90IHRoaXMgb25l v1,${signature}` };
}

const elliptic = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
export const sendgridKey = elliptic.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');

export function signedSendgrid(events: unknown, at: Date, key: KeyObject = elliptic.privateKey) {
  const payload = JSON.stringify(events);
  const signedAt = seconds(at);
  return {
    payload,
    signedAt,
    signature: sign('sha256', Buffer.from(signedAt + payload), key).toString('base64'),
  };
}

const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });

const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:bounces';
export const snsTopic = TOPIC;
export const certificateUrl = 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-ab12.pem';

/** A message of SNS, signed as Amazon documents it. */
export function snsMessage(part: Record<string, string>, at: Date): string {
  const message: Record<string, string> = {
    Type: 'Notification',
    MessageId: 'sns-1',
    TopicArn: TOPIC,
    Message: '{}',
    Timestamp: at.toISOString(),
    SignatureVersion: '2',
    SigningCertURL: certificateUrl,
    ...part,
  };
  const isNotification = message['Type'] === 'Notification';
  const names = isNotification
    ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
    : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
  const text = names.filter((name) => message[name]).map((name) => `${name}\n${message[name]}\n`);
  const signer = createSign(message['SignatureVersion'] === '1' ? 'RSA-SHA1' : 'RSA-SHA256');
  const signature = signer.update(text.join('')).sign(rsa.privateKey, 'base64');
  return JSON.stringify({ ...message, Signature: signature });
}

/** Encodes tag, length and content of DER. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
/** sha256WithRSAEncryption */
const algorithm = sequence(Buffer.from('06092a864886f70d01010b0500', 'hex'));
/** CN=sns.amazonaws.com */
const name = sequence(
  der(0x31, sequence(Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from('sns.amazonaws.com')))),
);
const validity = sequence(der(0x17, Buffer.from('250101000000Z')), der(0x17, Buffer.from('490101000000Z')));

/** A self-signed certificate, as PEM. */
export function certificate(): string {
  const key = rsa.publicKey.export({ type: 'spki', format: 'der' });
  const version = der(0xa0, Buffer.from('020102', 'hex'));
  const body = sequence(version, Buffer.from('020101', 'hex'), algorithm, name, validity, name, key);
  const signature = sign('sha256', body, rsa.privateKey);
  const whole = sequence(body, algorithm, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString('base64').match(/.{1,64}/g)!;
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
