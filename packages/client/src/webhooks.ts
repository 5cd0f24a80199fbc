/** A received webhook. */
export interface ReceivedWebhook {
  /** Headers of the request: names in lower case, or a `Headers` object. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body, byte for byte as received: parse it only after the verification. */
  readonly body: string;
  /** The secret of the endpoint, `whsec_…`; during a rotation, the old and the new one. */
  readonly secret: string | readonly string[];
  /** Maximum age of a message in seconds. Default: 300. */
  readonly toleranceSeconds?: number;
}

/** A verified event. */
export interface WebhookEvent<Data = Readonly<Record<string, unknown>>> {
  /** The same in every attempt: an event with a known id was already handled. */
  readonly id: string;
  readonly type: string;
  readonly data: Data;
}

/** The webhook is not from the platform, or is too old. Answer 400 and ignore it. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

const PREFIX = 'whsec_';

/**
 * Verifies signature and time of a webhook (Standard Webhooks) and returns its event.
 *
 * @throws WebhookError
 */
export async function verifyWebhook(received: ReceivedWebhook): Promise<WebhookEvent> {
  const { body, secret, toleranceSeconds = 300 } = received;
  const id = header(received, 'webhook-id');
  const timestamp = header(received, 'webhook-timestamp');
  const signatures = header(received, 'webhook-signature').split(' ');
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || age > toleranceSeconds)
    throw new WebhookError('The webhook is too old, or the clock of this machine is wrong.');
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const matches = await Promise.all(secrets.map((each) => isSignedBy(each, signed, signatures)));
  if (!matches.includes(true)) throw new WebhookError('The signature of the webhook is not right.');
  const { type, data } = JSON.parse(body) as Pick<WebhookEvent, 'type' | 'data'>;
  return { id, type, data };
}

function header({ headers }: ReceivedWebhook, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== 'string') throw new WebhookError(`The header ${name} is missing.`);
  return value;
}

/** WebCrypto compares all signatures in constant time. */
async function isSignedBy(
  secret: string,
  signed: Uint8Array<ArrayBuffer>,
  signatures: readonly string[],
): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', keyBytes(secret), algorithm, false, ['verify']);
  const found = signatures
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => bytesOf(signature.slice('v1,'.length)));
  const matches = await Promise.all(
    found.map((signature) => signature !== null && crypto.subtle.verify('HMAC', key, signature, signed)),
  );
  return matches.includes(true);
}

function keyBytes(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = secret.startsWith(PREFIX) ? bytesOf(secret.slice(PREFIX.length)) : null;
  if (!bytes?.length) throw new WebhookError('The secret must be that of the endpoint, whsec_ and base64.');
  return bytes;
}

/** Returns null if the text is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
