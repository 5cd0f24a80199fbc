import { afterEach, expect, test } from '@jest/globals';
import { eventually } from '@loyalty/test/harness/eventually';
import { client, gateway, key, raw, start, stop, ticking, value } from './websocket-clients.fixture.ts';

afterEach(stop);

test('queries, mutations and subscriptions are answered on one socket', async () => {
  await start();
  const { subscribe } = client(key());
  const query = subscribe('query { hello }', { variables: { name: 'Ada' } });
  const ticks = subscribe('subscription { ticks }');
  await ticking();
  gateway.graph.tick('one');
  gateway.graph.tick('two');
  await eventually(() => expect(ticks.results).toEqual([value('one'), value('two')]));
  expect(query).toMatchObject({ results: [value('hello Ada')], isComplete: true, error: null });
  ticks.stop();
  await ticking(0);
});

test('what cannot run is an error of its operation and leaves the others alone', async () => {
  await start();
  const { subscribe } = client(key());
  const bad = subscribe('query { nonsense }');
  const bug = subscribe('query { bug }');
  const good = subscribe('query { hello }');
  await eventually(() => expect(good.isComplete).toBe(true));
  await eventually(() => expect(bad.error).toEqual([{ message: 'No such field.' }]));
  await eventually(() => expect(JSON.stringify(bug.error)).toContain('INTERNAL_SERVER_ERROR'));
  expect(JSON.stringify(bug.error)).not.toContain('/srv');
});

test('every operation is recorded as a call of its caller, a subscription when it begins', async () => {
  await start();
  const { subscribe } = client(key());
  subscribe('query { hello }', { operationName: 'Hello' });
  subscribe('subscription { ticks }');
  subscribe('query { nonsense }');
  await eventually(() => expect(gateway.calls).toHaveLength(3));
  expect(
    gateway.calls.map(({ actor, channel, operation, status }) => [actor, channel, operation, status]),
  ).toEqual(
    expect.arrayContaining([
      ['key:1', 'GRAPHQL', 'Hello', 200],
      ['key:1', 'GRAPHQL', 'anonymous operation', 200],
      ['key:1', 'GRAPHQL', 'anonymous operation', 500],
    ]),
  );
  const gauge = await gateway.metrics.openSubscriptions.get();
  expect(gauge.values[0]?.value).toBe(1);
});

test('every operation counts against the limit of its caller', async () => {
  await start();
  const known = gateway.workspace.known.get('key-1')!;
  const limits = { ...known.caller.limits, requestsPerMinute: 3 };
  gateway.workspace.known.set('key-1', { ...known, caller: { ...known.caller, limits } });
  const { subscribe } = client(key());
  // Connecting counts as the first of three requests.
  const three = [1, 2, 3].map(() => subscribe('query { hello }'));
  await eventually(() => expect(three.filter(({ isComplete }) => isComplete)).toHaveLength(2));
  await eventually(() => {
    const refused = three.find(({ error }) => error);
    expect(refused?.error).toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }]);
  });
});

test('with a safelist only what is listed runs, by its text or its hash', async () => {
  const listed = 'subscription { ticks }';
  const texts = new Map([['a1', listed]]);
  await start({}, 0, { texts, has: (text) => text === listed });
  const { subscribe } = client(key());
  const byText = subscribe(listed);
  const byHash = subscribe('', { extensions: { persistedQuery: { version: 1, sha256Hash: 'a1' } } });
  const other = subscribe('query { hello }');
  await ticking(2);
  await eventually(() =>
    expect(other.error).toMatchObject([{ extensions: { reason: 'OPERATION_NOT_LISTED' } }]),
  );
  gateway.graph.tick('on');
  await eventually(() => expect([byText.results, byHash.results]).toEqual([[value('on')], [value('on')]]));
});

test('a thousand subscriptions, each given up again, leave nothing behind', async () => {
  await start();
  const { socket, messages, init, send, subscribe } = await raw({ headers: key() });
  await init();
  for (let round = 0; round < 20; round += 1) {
    const ids = Array.from({ length: 50 }, (_, n) => `${round}-${n}`);
    for (const id of ids) subscribe(id, 'subscription { ticks }');
    await ticking(50);
    for (const id of ids) send({ type: 'complete', id });
    await ticking(0);
  }
  expect((await gateway.metrics.openSubscriptions.get()).values[0]?.value).toBe(0);
  subscribe('last', 'subscription { ticks }');
  await ticking(1);
  gateway.graph.tick('only');
  await eventually(() => expect(messages.filter(({ type }) => type === 'next')).toHaveLength(1));
  socket.terminate();
  await ticking(0);
});

test('a running mutation is answered before its socket closes; nothing new begins meanwhile', async () => {
  await start();
  const { init, subscribe, messages, closed } = await raw({ headers: key() });
  await init();
  subscribe('m', 'mutation { slow }');
  await eventually(() => expect(gateway.graph.state.slow).toBe(1));
  const stopped = gateway.close();
  await eventually(() => expect(raw()).rejects.toThrow());
  subscribe('late', 'query { hello }');
  gateway.graph.endSource();
  expect(await closed).toMatchObject({ code: 1001 });
  await stopped;
  expect(messages.slice(1)).toEqual([
    { id: 'm', type: 'next', payload: value('slow') },
    { id: 'm', type: 'complete' },
  ]);
});

test('the server closes in bounded time, whatever runs and whoever listens', async () => {
  await start({ drainMs: 50, closingMs: 1_000 });
  const [stuck, deaf] = [await raw({ headers: key() }), await raw({ headers: key() })];
  await Promise.all([stuck.init(), deaf.init()]);
  stuck.subscribe('m', 'mutation { slow }');
  await eventually(() => expect(gateway.graph.state.slow).toBe(1));
  deaf.socket.pause();
  await gateway.close();
  expect(await stuck.closed).toMatchObject({ code: 1001 });
});

test('subscriptions go on by themselves when the server is back', async () => {
  await start();
  const { subscribe, closes } = client(key());
  const seen = subscribe('subscription { ticks }');
  await ticking();
  const { port } = gateway;
  await gateway.close();
  expect(closes).toContain(1001);
  await start({}, port);
  await ticking();
  gateway.graph.tick('again');
  await eventually(() => expect(seen.results).toEqual([value('again')]));
  expect(seen).toMatchObject({ error: null, isComplete: false });
});
