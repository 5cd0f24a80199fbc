import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { beforeAll, expect, test } from '@jest/globals';
import { useStack } from '../harness/stack.ts';

const stack = useStack();
let key: string;
let reader: string;
beforeAll(async () => {
  const { token } = await stack.signUp();
  key = (await stack.key(token)).secret;
  reader = (await stack.key(token, ['members:read'])).secret;
});

const TIMES = 30;
const MEBIBYTE = 1_024 * 1_024;
const body = Buffer.from(JSON.stringify({ email: 'a'.repeat(3 * MEBIBYTE) }));

/** Sends the body in parts, so that its length is not known at first. */
async function* parts(): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += 64 * 1_024) yield body.subarray(at, at + 64 * 1_024);
}

interface Target {
  readonly path: string;
  readonly as?: string | undefined;
}

const headersOf = ({ as }: Target): Record<string, string> => ({
  'content-type': 'application/json',
  ...(as && { authorization: `Bearer ${as}` }),
});

async function byFetch(target: Target, isKnown: boolean): Promise<number> {
  const sent = isKnown ? body : (ReadableStream.from(parts()) as never);
  const init = { method: 'POST', headers: headersOf(target), body: sent, duplex: 'half' } as const;
  const response = await fetch(stack.url + target.path, init);
  await response.text();
  return response.status;
}

async function byHttp(target: Target, more: Record<string, string>): Promise<number> {
  const headers = { ...headersOf(target), ...more };
  const request = httpRequest(stack.url + target.path, { method: 'POST', headers });
  const answered = once(request, 'response') as Promise<[NodeJS.ReadableStream & { statusCode: number }]>;
  if (more['expect']) request.once('continue', () => request.end(body));
  else {
    // Simple clients send the whole body before they read the answer.
    const closed = once(request, 'close');
    for await (const part of parts())
      if (!request.write(part)) await Promise.race([once(request, 'drain'), closed]);
    request.end();
  }
  const [response] = await answered;
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}

const clients: readonly (readonly [string, (target: Target) => Promise<number>])[] = [
  ['fetch', (target) => byFetch(target, true)],
  ['fetch without a length', (target) => byFetch(target, false)],
  ['node:http', (target) => byHttp(target, { 'content-length': String(body.length) })],
  ['node:http without a length', (target) => byHttp(target, { 'transfer-encoding': 'chunked' })],
  [
    'node:http that waits for 100',
    (target) => byHttp(target, { 'content-length': String(body.length), expect: '100-continue' }),
  ],
];

test.each(clients)('%s gets an answer about a body that is too large, every time', async (_, send) => {
  for (const path of ['/api/v2/members', '/graphql', '/api/v1/data', '/api/payments/stripe']) {
    const statuses: number[] = [];
    const times = path === '/api/v2/members' || path === '/graphql' ? TIMES : 3;
    for (let n = 0; n < times; n += 1) statuses.push(await send({ path, as: key }));
    const expected = path === '/api/v1/data' ? 403 : 413;
    expect([path, statuses]).toEqual([path, Array(times).fill(expected)]);
  }
});

test.each(clients)('%s reads why it is refused while it sends', async (_, send) => {
  for (const [path, as, status] of [
    ['/api/v2/members', undefined, 401],
    ['/api/v2/members', 'lk_live_wrong', 401],
    ['/api/v2/orders', reader, 403],
    ['/api/v2/members/import', undefined, 401],
  ] as const)
    for (let n = 0; n < 5; n += 1) expect([path, await send({ path, as })]).toEqual([path, status]);
});

test('what comes after a refusal is read up to a bound, then the connection ends', async () => {
  const { port, hostname } = new URL(stack.url);
  const socket = connect(Number(port), hostname);
  const received: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => received.push(chunk));
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const length = 1_024 * MEBIBYTE;
  socket.write(
    `POST /api/v2/members HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`,
  );
  const part = Buffer.alloc(MEBIBYTE, 'a');
  let sent = 0;
  while (!socket.destroyed && sent < length) {
    sent += part.length;
    if (!socket.write(part)) await Promise.race([once(socket, 'drain').catch(() => undefined), closed]);
  }
  await closed;
  expect(String(Buffer.concat(received))).toMatch(/^HTTP\/1\.1 401 /);
  expect(sent).toBeGreaterThan(32 * MEBIBYTE);
  expect(sent).toBeLessThan(128 * MEBIBYTE);
});
