import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import fastify, { type FastifyInstance } from 'fastify';
import { type BodyBounds, bodyBounds, boundBodies } from './request-bodies.ts';

let app: FastifyInstance;
let answered: PromiseWithResolvers<void>;
afterEach(async () => {
  app.server.closeAllConnections();
  await app.close();
});

/** Opens a socket whose client does not read until the test says so. */
async function open(bounds: Partial<BodyBounds> = {}): Promise<Socket> {
  answered = Promise.withResolvers();
  app = fastify({ bodyLimit: 1_000 });
  boundBodies(app, { ...bodyBounds, ...bounds });
  app.addHook('onResponse', async () => answered.resolve());
  app.post('/refused', { onRequest: async (_, reply) => reply.status(401).send('who?') }, async () => '');
  app.post('/small', async () => 'done');
  app.addContentTypeParser('text/csv', (_request, _payload, done) => done(null));
  app.post('/file', async (request) => {
    request.extendBodyTime!();
    let bytes = 0;
    for await (const chunk of request.raw) bytes += (chunk as Buffer).length;
    return `${bytes} bytes`;
  });
  const url = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const socket = connect(Number(url.port), url.hostname).pause();
  await once(socket, 'connect');
  return socket;
}

const head = (path: string, length: number | 'chunked', type = 'application/json'): string =>
  [
    `POST ${path} HTTP/1.1`,
    'host: x',
    `content-type: ${type}`,
    length === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${length}`,
    '\r\n',
  ].join('\r\n');

const flushed = (socket: Socket, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.write(text, (error) => (error ? reject(error) : resolve()));
  });

/** Reads up to the end of the expected body. */
async function readUntil(socket: Socket, end: string): Promise<string> {
  let text = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (text.endsWith(end)) break;
  }
  return text;
}

/** Reads until the connection is closed. */
const end = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.on('error', () => undefined).on('close', () => resolve());
    socket.resume();
  });

const SIZE = 4_000_000;
const PART = 'a'.repeat(SIZE);

test.each([
  ['too large', '/small', SIZE, 413],
  ['too large, of unknown length', '/small', 'chunked', 413],
  ['of somebody who is refused', '/refused', SIZE, 401],
] as const)(
  'a client that sends a body %s to its end reads the answer then',
  async (_, path, length, status) => {
    const socket = await open();
    const isChunked = length === 'chunked';
    await flushed(socket, head(path, length) + (isChunked ? `800\r\n${'a'.repeat(2_048)}\r\n` : ''));
    await answered.promise;
    await flushed(socket, isChunked ? `${SIZE.toString(16)}\r\n${PART}\r\n0\r\n\r\n` : PART);
    expect(await readUntil(socket, status === 401 ? 'who?' : '}')).toMatch(
      new RegExp(`^HTTP/1.1 ${status} `),
    );
    // The connection can still be used.
    await flushed(socket, `${head('/small', 2)}{}`);
    expect(await readUntil(socket, 'done')).toMatch(/^HTTP\/1.1 200 /);
    socket.destroy();
  },
);

test.each([
  ['more', { unreadBytes: 100_000 }],
  ['longer', { unreadMs: 50 }],
] as const)('a client that sends %s than is worth reading is cut off', async (more, bounds) => {
  const socket = await open(bounds);
  const closed = end(socket);
  await flushed(socket, head('/refused', SIZE));
  await answered.promise;
  if (more === 'more') await flushed(socket, 'a'.repeat(SIZE - 1)).catch(() => undefined);
  await closed;
});

test('a body that does not come in time ends its connection, whatever it says it is', async () => {
  const socket = await open({ bodyMs: 50 });
  const closed = end(socket);
  await flushed(socket, head('/small', 900));
  await closed;
});

test('a file has more time, once its route has asked for it', async () => {
  const socket = await open({ bodyMs: 50 });
  await flushed(socket, head('/file', 6, 'text/csv'));
  // Another body begins later and is cut off: by then the time of an ordinary body is over.
  const { port } = app.server.address() as AddressInfo;
  const other = connect(port, '127.0.0.1');
  await flushed(other, head('/small', 900));
  await end(other);
  await flushed(socket, 'a,b\n1,');
  expect(await readUntil(socket, '6 bytes')).toMatch(/^HTTP\/1.1 200 /);
  socket.destroy();
});
