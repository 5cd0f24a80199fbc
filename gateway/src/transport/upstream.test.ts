import { randomBytes } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Caller } from '@loyalty/platform/base/caller';
import type { Request } from '@loyalty/platform/context';
import { subgraphServer } from '@loyalty/platform/graph/subgraph-server';
import { createLog } from '@loyalty/platform/observe/log';
import { type CountedLive, countedLive, createNotes, noteId } from '@loyalty/platform/work/notes.fixture';
import { eventually } from '@loyalty/test/harness/eventually';
import { callerOf, useServices } from '@loyalty/test/harness/services';
import type { FastifyInstance } from 'fastify';
import type { ExecutionResult } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import { createUpstream, type Upstream } from './upstream.ts';

const secrets = new Map([['a', randomBytes(32)]]);
const log = createLog({ level: 'silent', name: 'test' });
const notes = createNotes();
const done = { done: true, value: undefined };
type Results = AsyncIterableIterator<ExecutionResult, undefined>;

const { services: shared } = useServices();
let services: typeof shared & { live: CountedLive };
let app: FastifyInstance;
let sockets: Set<Socket>;
let connections = 0;
let port: number;
let upstreams: Upstream[];

beforeEach(async () => {
  services = { ...shared, live: countedLive() };
  sockets = new Set();
  connections = 0;
  upstreams = [];
  await serve(0);
});
afterEach(async () => {
  await Promise.all(upstreams.map((upstream) => upstream.close()));
  await app.close();
});

async function serve(at: number): Promise<void> {
  app = subgraphServer(notes.subgraph, services, secrets);
  await app.listen({ port: at, host: '127.0.0.1' });
  count(app.server);
}

/** Counts the connections to a server. */
function count(server: Server): void {
  port = (server.address() as AddressInfo).port;
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
}

function upstreamTo(known: typeof secrets | null = secrets): Upstream {
  const url = `http://127.0.0.1:${port}/graphql`;
  const upstream = createUpstream({ name: 'notes', url, log, secrets: known ?? undefined });
  upstreams.push(upstream);
  return upstream;
}

const from = (caller: Partial<Caller> = {}, signal?: AbortSignal): Request => ({
  caller: { ...callerOf(), ...caller },
  requestId: 'r',
  ...(signal && { signal }),
});
const request = (id = noteId) => ({
  query: 'subscription ($id: ID!) { noteChanged(id: $id) { text } }',
  variables: { id },
});

async function watch(upstream: Upstream, asking = from()): Promise<Results> {
  const answer = await upstream.subscribe(request(), asking);
  if (!('next' in answer)) throw new Error(JSON.stringify(answer));
  return answer;
}

const changed = (text: string) => ({ done: false, value: { data: { noteChanged: { text } } } });
const reasonOf = (answer: ExecutionResult | Results | undefined): unknown =>
  (answer as ExecutionResult | undefined)?.errors?.[0]?.extensions?.['reason'];
const held = () => services.live.listeners / 2;

describe('an upstream', () => {
  test('carries all subscriptions of all callers on one socket, opened by the first', async () => {
    const upstream = upstreamTo();
    expect(connections).toBe(0);
    const all = await Promise.all(Array.from({ length: 50 }, () => watch(upstream)));
    expect([connections, held()]).toEqual([1, 50]);
    await notes.write(services.live, 'changed');
    expect(await Promise.all(all.map((results) => results.next()))).toEqual(
      all.map(() => changed('changed')),
    );
  });

  test('answers with the refusal of the subgraph before anything starts', async () => {
    const upstream = upstreamTo();
    const ask = (caller: Partial<Caller>, id?: string) => upstream.subscribe(request(id), from(caller));
    expect(reasonOf(await ask({ scopes: [] }))).toBe('SCOPE_MISSING');
    expect(reasonOf(await ask({}, '019cadfd-8900-713f-9842-000000000000'))).toBe('RECORD_NOT_FOUND');
    const { errors } = (await upstream.subscribe(
      { query: 'subscription { no }' },
      from(),
    )) as ExecutionResult;
    expect(errors?.[0]?.message).toContain('Cannot query field');
    expect(held()).toBe(0);
  });

  test('ends a subscription at the subgraph by return() while a read waits, others go on', async () => {
    const upstream = upstreamTo();
    const [first, second] = [await watch(upstream), await watch(upstream)];
    const parked = first.next();
    await first.return!();
    expect(await parked).toEqual(done);
    await eventually(() => expect(held()).toBe(1));
    await notes.write(services.live, 'changed');
    expect(await second.next()).toEqual(changed('changed'));
  });

  test('ends a subscription with the signal of its request, and holds nothing', async () => {
    const controller = new AbortController();
    const results = await watch(upstreamTo(), from({}, controller.signal));
    const parked = results.next();
    controller.abort();
    expect(await parked).toEqual(done);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    await eventually(() => expect(held()).toBe(0));
  });

  test('keeps 256 results for a slow reader, then ends with the reason and keeps nothing', async () => {
    const upstream = upstreamTo();
    const [slow, quick] = [await watch(upstream), await watch(upstream)];
    for (let n = 0; n < 257; n += 1) {
      await notes.write(services.live, `${n}`);
      expect(await quick.next()).toEqual(changed(`${n}`));
    }
    await eventually(() => expect(held()).toBe(1));
    expect(reasonOf((await slow.next()).value)).toBe('SLOW_CONSUMER');
    expect(await slow.next()).toEqual(done);
  });

  test('starts its subscriptions again when the connection is cut, with a proof made anew', async () => {
    const results = await watch(upstreamTo());
    for (const round of ['once', 'twice']) {
      for (const socket of sockets) socket.destroy();
      await eventually(() => expect(held()).toBe(0));
      await eventually(() => expect(held()).toBe(1));
      await notes.write(services.live, round);
      expect(await results.next()).toEqual(changed(round));
    }
    expect(connections).toBe(3);
  });

  test('says how long ago the first event was missed when it subscribes again, and not at first', async () => {
    const before = notes.missed.length;
    const upstream = upstreamTo();
    await watch(upstream);
    const closedAt = performance.now();
    await app.close();
    await delay(300);
    await serve(port);
    await eventually(() => expect(notes.missed.length).toBe(before + 2));
    const awayMs = performance.now() - closedAt;
    await watch(upstream);
    const [first, again, other] = notes.missed.slice(before);
    expect([first, other]).toEqual([0, 0]);
    // The subgraph closed the socket: events of the last 5 s may have been lost.
    expect(again).toBeGreaterThan(5_300);
    expect(again).toBeLessThanOrEqual(Math.ceil(5_000 + awayMs));
  });

  test('outlives a restart of the subgraph; a subscription in between is refused after a bounded wait', async () => {
    const upstream = upstreamTo();
    const results = await watch(upstream);
    await app.close();
    expect(reasonOf(await upstream.subscribe(request(), from()))).toBe('SUBGRAPH_UNAVAILABLE');
    await serve(port);
    const late = await watch(upstream);
    await eventually(() => expect(held()).toBe(2));
    await notes.write(services.live, 'back');
    expect(await Promise.all([results.next(), late.next()])).toEqual([changed('back'), changed('back')]);
  });

  test('that the subgraph does not believe answers that it is away', async () => {
    const upstream = upstreamTo(new Map([['a', randomBytes(32)]]));
    expect(reasonOf(await upstream.subscribe(request(), from()))).toBe('SUBGRAPH_UNAVAILABLE');
  });

  test('closes its socket with itself, and ends what runs', async () => {
    const upstream = upstreamTo();
    const parked = (await watch(upstream)).next();
    await upstream.close();
    expect(await parked).toEqual(done);
    await eventually(() => expect([held(), sockets.size]).toEqual([0, 0]));
  });

  test('can be closed while the subgraph is away', async () => {
    const upstream = upstreamTo();
    const results = await watch(upstream);
    await app.close();
    const [parked, waiting] = [results.next(), upstream.subscribe(request(), from())];
    // This socket stays open: its subscription waits as long as allowed.
    const left = upstreamTo().subscribe(request(), from());
    await upstream.close();
    expect(await parked).toEqual(done);
    const first = [waiting.then(() => 'closed'), left.then(() => 'waited')];
    expect(await Promise.race(first)).toBe('closed');
  });

  test('keeps nothing of ten thousand subscriptions that came and went', async () => {
    const { signal } = new AbortController();
    const upstream = upstreamTo();
    for (let n = 0; n < 100; n += 1) {
      const some = await Promise.all(Array.from({ length: 100 }, () => watch(upstream, from({}, signal))));
      await Promise.all(some.map((results) => results.return!()));
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    await eventually(() => expect(held()).toBe(0));
    expect(connections).toBe(1);
  });
});

test("somebody else's subgraph gets no proof and no caller, and works as well", async () => {
  const seen: unknown[] = [];
  const server = createServer();
  const said = Promise.withResolvers<void>();
  useServer(
    {
      schema: notes.subgraph.schema,
      onConnect: ({ connectionParams }) => void seen.push(connectionParams),
      onSubscribe: (_ctx, _id, { extensions }) => void seen.push(extensions),
      subscribe: async function* () {
        yield { data: { noteChanged: { text: 'one' } } };
        await said.promise;
        yield { data: { noteChanged: { text: 'two' } } };
      } as never,
    },
    new WebSocketServer({ server }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  count(server);
  const upstream = upstreamTo(null);
  const results = await watch(upstream);
  expect(await results.next()).toEqual(changed('one'));
  said.resolve();
  expect([await results.next(), await results.next()]).toEqual([changed('two'), done]);
  expect(seen).toEqual([undefined, undefined]);
  await upstream.close();
  server.closeAllConnections();
  server.close();
});

test('an upstream that nothing needs any more closes its socket by itself, and opens it again', async () => {
  const upstream = upstreamTo();
  for (const opened of [1, 2]) {
    await (await watch(upstream)).return!();
    expect(connections).toBe(opened);
    await eventually(() => expect(sockets.size).toBe(0));
  }
});
