import { request } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import { eventually } from '@loyalty/test/harness/eventually';
import WebSocket from 'ws';
import { gateway, raw, start, stop, ticking } from './websocket-clients.fixture.ts';

afterEach(stop);

const init = { type: 'connection_init' };
const subscribe = { type: 'subscribe', id: '1', payload: { query: 'subscription { ticks }' } };
const json = (...messages: unknown[]) => messages.map((message) => JSON.stringify(message));

test.each<[string, (string | Buffer)[], number]>([
  ['binary', [Buffer.from(JSON.stringify(init))], 4400],
  ['text that is not JSON', ['{'], 4400],
  ['JSON that is no message', ['[]'], 4400],
  ['a message of an unknown type', json({ type: 'constructor' }), 4400],
  ['a subscription without a query', json(init, { ...subscribe, payload: {} }), 4400],
  ['a message above the bound', ['x'.repeat(300_000)], 1009],
  ['a subscription before connection_init', json(subscribe), 4401],
  ['connection_init twice', json(init, init), 4429],
  ['one id twice', json(init, 0, subscribe, subscribe), 4409],
  ['a message that only servers send', json(init, 0, { type: 'connection_ack' }), 4400],
])('%s closes the socket with a code that says so', async (_, frames, code) => {
  await start();
  const { socket, closed, messages } = await raw();
  for (const frame of frames) {
    if (frame !== '0') socket.send(frame);
    else await eventually(() => expect(messages).toHaveLength(1));
  }
  expect(await closed).toMatchObject({ code });
  await ticking(0);
});

test('a name of Object.prototype is an id as any other', async () => {
  await start();
  const { init: connect, send, messages, subscribe: begin } = await raw();
  await connect();
  for (const id of ['__proto__', 'constructor']) begin(id, 'query { hello }');
  await eventually(() => expect(messages.filter(({ type }) => type === 'complete')).toHaveLength(2));
  send({ type: 'ping' });
  await eventually(() => expect(messages.at(-1)).toEqual({ type: 'pong' }));
});

test('a broken frame ends its socket only', async () => {
  await start();
  const [hostile, other] = [await raw(), await raw()];
  (hostile.socket as unknown as { _socket: { write(data: Buffer): void } })._socket.write(
    Buffer.from([0xff, 0xff, 0xff]),
  );
  expect(await hostile.closed).toMatchObject({ code: 1002 });
  await other.init();
});

test('a client that does not send connection_init in time is closed with 4408', async () => {
  await start({ initMs: 50 });
  expect(await (await raw()).closed).toMatchObject({ code: 4408 });
});

test('another subprotocol is refused with 4406', async () => {
  await start();
  const socket = new WebSocket(gateway.socketUrl);
  const code = await new Promise((resolve) => socket.on('close', resolve));
  expect(code).toBe(4406);
});

test('there are no sockets on other paths, and other upgrades are ordinary requests', async () => {
  await start();
  await expect(raw({ path: '/api/v2/members' })).rejects.toThrow('404');
  const status = await new Promise((resolve) => {
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABk' };
    request(gateway.url, { headers }, (response) => resolve(response.resume().statusCode)).end();
  });
  expect(status).toBe(200);
});
