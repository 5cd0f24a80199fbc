import { createECDH, createPublicKey, type ECDH, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';

/** Another implementation of the encryption of RFC 8188. */
export const ece = createRequire(import.meta.url)('http_ece') as {
  encrypt(text: Buffer, parameters: object): Buffer;
  decrypt(body: Buffer, parameters: object): Buffer;
};

/** A browser, with its keys and the decryption of messages. */
export interface Browser {
  readonly keys: { readonly p256dh: string; readonly auth: string };
  read(body: Buffer): unknown;
}

export function newBrowser(): Browser {
  const ecdh = createECDH('prime256v1');
  const p256dh = ecdh.generateKeys('base64url');
  const auth = randomBytes(16).toString('base64url');
  return { keys: { p256dh, auth }, read: (body) => JSON.parse(decrypted(body, ecdh, auth).toString()) };
}

export const decrypted = (body: Buffer, privateKey: ECDH, authSecret: string): Buffer =>
  ece.decrypt(body, { version: 'aes128gcm', privateKey, authSecret });

/** A request to the push service. */
export interface Push {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** Starts a push service on this machine. It responds with 201, or with the status that is set for a path. */
export async function startPushService() {
  const pushes: Push[] = [];
  const statuses = new Map<string, number>();
  const waits = new Map<string, Promise<void>>();
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const path = request.url!;
    pushes.push({ path, headers: request.headers, body: Buffer.concat(parts) });
    await waits.get(path);
    response.writeHead(statuses.get(path) ?? 201).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}`,
    pushes,
    /** Sets the status of a path. */
    answer: (path: string, status: number) => void statuses.set(path, status),
    /** Makes a path respond only after `wait` resolves. */
    answerAfter: (path: string, wait: Promise<void>) => void waits.set(path, wait),
    close: () => new Promise((resolve) => void server.close(resolve)),
  };
}

/** Verifies the signature of a VAPID header (RFC 8292) and returns its claims. */
export function vapidClaims(authorization: string, publicKey: string): Record<string, unknown> {
  const [, token, key] = /^vapid t=([^,]+), ?k=(.+)$/.exec(authorization) ?? [];
  if (key !== publicKey) throw new Error('another key');
  const [header, payload, signature] = token!.split('.') as [string, string, string];
  const point = Buffer.from(publicKey, 'base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x: part(point, 1), y: part(point, 33) };
  const isValid = verify(
    'sha256',
    Buffer.from(`${header}.${payload}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isValid) throw new Error('a wrong signature');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
}

const part = (point: Buffer, start: number) => point.subarray(start, start + 32).toString('base64url');
