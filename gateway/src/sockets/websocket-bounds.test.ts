import { afterEach, expect, test } from '@jest/globals';
import { eventually } from '@loyalty/test/harness/eventually';
import WebSocket from 'ws';
import { closeCodes } from './close-codes.ts';
import { client, gateway, key, raw, start, stop, ticking } from './websocket-clients.fixture.ts';

afterEach(stop);

test('a client that stops reading is closed as too slow, and no more is made for it than fits', async () => {
  await start({ bufferedBytes: 50_000, slowMs: 100, pingMs: 60_000 });
  const { socket, init, subscribe, closed } = await raw({ headers: key() });
  await init();
  socket.pause();
  for (let id = 0; id < 5; id += 1) subscribe(`${id}`, 'subscription { flood }');
  await eventually(() => expect(gateway.graph.state.floods).toBe(5));
  await eventually(() => expect(gateway.graph.state.floods).toBe(0));
  // 100 kB each: the content of the kernel's buffers, and one result for each subscription.
  expect(gateway.graph.state.pulled).toBeLessThan(200);
  socket.resume();
  expect(await closed).toMatchObject({ code: closeCodes.SLOW_CONSUMER.code });
});

test('a client that pings without reading the answers is not read from any more, so that they cannot pile up', async () => {
  await start({ bufferedBytes: 20_000, slowMs: 60_000 });
  const { socket, init, send, messages } = await raw({ headers: key() });
  await init();
  socket.pause();
  const payload = { text: 'x'.repeat(200_000) };
  for (let n = 0; n < 100; n += 1) send({ type: 'ping', payload });
  // 20 MB of pings; the server does not read them, so they stay with the client.
  let left = 0;
  let still = 0;
  await eventually(() => {
    still = socket.bufferedAmount === left ? still + 1 : 0;
    left = socket.bufferedAmount;
    expect(still).toBe(20);
  });
  expect(left).toBeGreaterThan(8_000_000);
  socket.resume();
  await eventually(() => expect(messages.filter(({ type }) => type === 'pong')).toHaveLength(100));
});

test('a subscription that was not read in time closes its socket, and the client resubscribes', async () => {
  await start();
  const { subscribe, closes } = client(key());
  const seen = subscribe('subscription { overflow }');
  await eventually(() => expect(closes).toContain(closeCodes.SLOW_CONSUMER.code));
  await eventually(() => expect(seen.results.length).toBeGreaterThan(1));
  expect(seen.error).toBe(null);
  seen.stop();
});

test('a socket without operations is closed as idle, one with a subscription is not', async () => {
  await start({ idleMs: 400 });
  const busy = await raw({ headers: key() });
  await busy.init();
  busy.subscribe('1', 'subscription { ticks }');
  await ticking();
  const idle = await raw({ headers: key() });
  await idle.init();
  expect(await idle.closed).toMatchObject({ code: closeCodes.IDLE.code });
  expect(busy.socket.readyState).toBe(WebSocket.OPEN);
  busy.send({ type: 'complete', id: '1' });
  expect(await busy.closed).toMatchObject({ code: closeCodes.IDLE.code });
});

test('a client that answers no ping is cut off, one that does stays', async () => {
  await start({ pingMs: 60 });
  const [dead, alive] = [await raw({ headers: key() }), await raw({ headers: key() })];
  await Promise.all([dead.init(), alive.init()]);
  let pings = 0;
  alive.socket.on('ping', () => {
    pings += 1;
  });
  dead.socket.pong = () => undefined;
  expect(await dead.closed).toMatchObject({ code: 1006 });
  await eventually(() => expect(pings).toBeGreaterThan(3));
  expect(alive.socket.readyState).toBe(WebSocket.OPEN);
});

test('more operations than one socket may have are refused each by itself', async () => {
  await start({ operationsPerSocket: 2 });
  const { subscribe } = client(key());
  const all = [1, 2, 3].map(() => subscribe('subscription { ticks }'));
  await eventually(() => expect(all.map(({ error }) => error)).toContainEqual(expect.anything()));
  expect(all.filter(({ error }) => error)).toMatchObject([
    { error: [{ extensions: { code: 'RATE_LIMITED' } }] },
  ]);
  await ticking(2);
});

test.each([
  ['at the bound is begun', 0, 'next'],
  ['of a byte more is refused', -1, 'error'],
])('an operation whose message %s', async (_, bytes, type) => {
  const payload = { query: 'query { hello }', variables: { text: 'x'.repeat(100) } };
  const message = { type: 'subscribe', id: '1', payload };
  await start({ operationBytesPerSocket: JSON.stringify(message).length + bytes });
  const { init, send, messages } = await raw({ headers: key() });
  await init();
  send(message);
  await eventually(() => expect(messages[1]?.type).toBe(type));
});

test('operations of one socket hold a bounded amount of variables', async () => {
  await start({ operationBytesPerSocket: 10_000 });
  const { subscribe } = client(key());
  const held = subscribe('subscription { ticks }', { variables: { text: 'x'.repeat(6_000) } });
  const more = subscribe('subscription { ticks }', { variables: { text: 'x'.repeat(6_000) } });
  await eventually(() => expect(more.error).toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }]));
  expect(held.error).toBe(null);
});

test('one credential opens a bounded number of sockets, whatever address it comes from', async () => {
  await start({ connectionsPerOwner: 2 });
  const first = [await raw({ headers: key() }), await raw({ headers: key() })];
  for (const { init } of first) await init();
  const third = await raw({ headers: key() });
  third.send({ type: 'connection_init' });
  expect(await third.closed).toMatchObject({ code: 1013 });
  const other = await raw({ headers: key(2) });
  await other.init();
  first[0]!.socket.close();
  await first[0]!.closed;
  const again = await raw({ headers: key() });
  await again.init();
});

test('an address where nobody has signed in opens a bounded number of sockets', async () => {
  await start({ connectionsPerOwner: 2 });
  const [first] = [await raw(), await raw()];
  await expect(raw()).rejects.toThrow('429');
  await first!.init(key());
  await raw();
});
