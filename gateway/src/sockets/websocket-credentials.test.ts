import { afterEach, expect, test } from '@jest/globals';
import { eventually } from '@loyalty/test/harness/eventually';
import { client, gateway, key, raw, start, stop, ticking, value } from './websocket-clients.fixture.ts';

afterEach(stop);

test.each([
  [{ authorization: 'Bearer key-1' }, {}, 'key:1'],
  [{ AUTHORIZATION: 'bearer key-2' }, {}, 'key:2'],
  [{ 'X-API-Key': 'key-1' }, {}, 'key:1'],
  [undefined, { 'x-api-key': 'key-2' }, 'key:2'],
  [{ authorization: 'Bearer key-1' }, { authorization: 'Bearer key-2' }, 'key:1'],
  [undefined, {}, 'anonymous'],
])('connectionParams %j with headers %j is %s', async (params, headers, actor) => {
  await start();
  const { init, subscribe, messages } = await raw({ headers });
  await init(params);
  subscribe('1', 'query { hello }');
  await eventually(() => expect(messages[1]?.payload).toEqual(value(`hello ${actor}`)));
});

test.each([[{ authorization: 'Bearer wrong' }], [{ authorization: 'key-1' }], [{ 'x-api-key': 7 }]])(
  'the bad credential %j closes with 4401, and the client does not come back',
  async (params) => {
    await start();
    const { subscribe, closes } = client(params);
    const seen = subscribe('query { hello }');
    await eventually(() => expect(seen.error).toMatchObject({ code: 4401 }));
    expect(closes).toEqual([4401]);
  },
);

test('while credentials cannot be looked up, the client is asked to come back, and does', async () => {
  await start();
  gateway.workspace.state.isAway = true;
  const { subscribe, closes } = client(key());
  const seen = subscribe('query { hello }');
  await eventually(() => expect(closes).toContain(1013));
  gateway.workspace.state.isAway = false;
  await eventually(() => expect(seen.isComplete).toBe(true));
});

test.each(['key:1', 'workspace:w'])('a revoked key closes its sockets at once on %s', async (subject) => {
  await start();
  const [revoked, other] = [client(key(1)), client(key(2))];
  const ended = revoked.subscribe('subscription { ticks }');
  const stays = other.subscribe('subscription { ticks }');
  await ticking(2);
  gateway.workspace.known.delete('key-1');
  await gateway.live.publish('credentials', subject);
  await eventually(() => expect(ended.error).toMatchObject({ code: 4401 }));
  gateway.graph.tick('on');
  await eventually(() => expect(stays.results).toEqual([value('on')]));
  expect(ended.results).toEqual([]);
});

test('an operation that is sent while its credential is stale waits for the new answer', async () => {
  await start();
  const { init, subscribe, send, messages, closed } = await raw();
  await init(key());
  const hold = Promise.withResolvers<void>();
  gateway.workspace.state.hold = hold.promise;
  gateway.workspace.known.delete('key-1');
  await gateway.live.publish('credentials', 'key:1');
  await eventually(() => expect(gateway.workspace.state.asked).toBe(2));
  subscribe('1', 'query { hello }');
  send({ type: 'ping' });
  await eventually(() => expect(messages).toContainEqual({ type: 'pong' }));
  expect(gateway.graph.seen).toEqual([]);
  hold.resolve();
  expect((await closed).code).toBe(4401);
  expect(gateway.graph.seen).toEqual([]);
});

/** Revokes the key during a look-up; the live event has arrived everywhere afterwards. */
async function revoked(): Promise<void> {
  gateway.workspace.known.delete('key-1');
  await gateway.live.publish('credentials', 'key:1');
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

test('a key that is revoked while it is looked up again is looked up once more', async () => {
  await start();
  const { closes, subscribe } = client(key());
  const seen = subscribe('subscription { ticks }');
  await ticking();
  const hold = Promise.withResolvers<void>();
  gateway.workspace.state.hold = hold.promise;
  await gateway.live.publish('credentials', 'key:1');
  await eventually(() => expect(gateway.workspace.state.asked).toBe(2));
  await revoked();
  hold.resolve();
  await eventually(() => expect(seen.error).toMatchObject({ code: 4401 }));
  expect(closes).toEqual([4401]);
});

test('a key that is revoked while its socket connects does not stay', async () => {
  await start();
  const hold = Promise.withResolvers<void>();
  gateway.workspace.state.hold = hold.promise;
  const { closes, subscribe } = client(key());
  const seen = subscribe('subscription { ticks }');
  await eventually(() => expect(gateway.workspace.state.asked).toBe(1));
  await revoked();
  hold.resolve();
  await eventually(() => expect(seen.error).toMatchObject({ code: 4401 }));
  expect(closes).toEqual([4401]);
});

test('a credential closes its sockets when it expires', async () => {
  await start();
  const known = gateway.workspace.known.get('key-1')!;
  gateway.workspace.known.set('key-1', { ...known, expiresAt: '2026-03-02T11:00:00Z' });
  const { subscribe } = client(key());
  const seen = subscribe('subscription { ticks }');
  await ticking();
  gateway.clock.advance(3_599_000);
  gateway.graph.tick('last');
  await eventually(() => expect(seen.results).toEqual([value('last')]));
  gateway.clock.advance(1_000);
  await eventually(() => expect(seen.error).toMatchObject({ code: 4401 }));
  expect((seen.error as { reason: string }).reason).toContain('expired');
});

test('a module that is switched off ends what needs it, and the rest goes on', async () => {
  await start();
  const { subscribe, closes } = client(key());
  const located = subscribe('subscription { located }');
  const ticks = subscribe('subscription { ticks }');
  await ticking(2);
  const known = gateway.workspace.known.get('key-1')!;
  gateway.workspace.known.set('key-1', { ...known, caller: { ...known.caller, modules: [] } });
  await gateway.live.publish('credentials', 'workspace:w');
  await eventually(() =>
    expect(located.error).toMatchObject([{ extensions: { code: 'FORBIDDEN', reason: 'MODULE_DISABLED' } }]),
  );
  await ticking(1);
  gateway.graph.tick('on');
  await eventually(() => expect(ticks.results).toEqual([value('on')]));
  expect(closes).toEqual([]);
  expect(gateway.graph.seen.at(-1)?.modules).toEqual(['location']);
  const again = subscribe('subscription { located }');
  await eventually(() => expect(again.error).toMatchObject([{ extensions: { reason: 'MODULE_DISABLED' } }]));
});

test('after an interruption of live events every credential is looked up again', async () => {
  await start({ rechecksPerSweep: 1 });
  const seen = [client(key(1)), client(key(2))].map(({ subscribe }) => subscribe('subscription { ticks }'));
  await ticking(2);
  gateway.workspace.known.clear();
  gateway.live.gap();
  await eventually(() =>
    expect(seen.map(({ error }) => error)).toMatchObject([{ code: 4401 }, { code: 4401 }]),
  );
});

test('a credential that stays stale too long ends its sockets, whose clients come back', async () => {
  await start({ staleMs: 60 });
  const { subscribe, closes } = client(key());
  const seen = subscribe('subscription { ticks }');
  await ticking();
  gateway.workspace.state.isAway = true;
  gateway.live.gap();
  await eventually(() => expect(closes).toContain(1013));
  gateway.workspace.state.isAway = false;
  await ticking();
  expect(seen.error).toBe(null);
});
