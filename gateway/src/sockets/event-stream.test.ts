import { get, type IncomingMessage } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@loyalty/test/harness/eventually';
import { type ClientOptions, createClient } from 'graphql-sse';
import type { Bounds } from './bounds.ts';
import { openGateway, type SocketGateway } from './sockets.fixture.ts';

let gateway: SocketGateway;
const clients: { dispose(): void }[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.dispose();
  gateway.graph.endSource();
  await gateway.close();
});

async function start(bounds: Partial<Bounds> = {}, port = 0): Promise<void> {
  gateway = await openGateway(bounds, port);
}

/** A client of the graphql-sse library. */
function client(key: string | null = 'key-1', options: Partial<ClientOptions> = {}) {
  const made = createClient({
    url: gateway.url,
    headers: key ? { authorization: `Bearer ${key}` } : {},
    retry: async () => undefined,
    retryAttempts: 0,
    ...options,
  } as ClientOptions);
  clients.push(made);
  return (query: string, variables: Record<string, unknown> = {}) => {
    const seen = {
      results: [] as unknown[],
      error: null as unknown,
      isComplete: false,
      stop: () => undefined,
    };
    const stop = made.subscribe(
      { query, variables },
      {
        next: (result) => seen.results.push(result),
        error: (error) => {
          seen.error = error;
        },
        complete: () => {
          seen.isComplete = true;
        },
      },
    );
    return { seen, stop };
  };
}

const value = (text: string) => ({ data: { value: text } });
const ticking = (count = 1) => eventually(() => expect(gateway.graph.ticks.size).toBe(count));
const STREAM = { accept: 'text/event-stream' };
const AS_KEY = { ...STREAM, 'x-api-key': 'key-1' };

/** Returns the event stream of a GET as text. */
async function getStream(parameters: Record<string, string>, headers: Record<string, string> = AS_KEY) {
  const url = `${gateway.url}?${new URLSearchParams(parameters)}`;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers }, resolve).on('error', reject);
  });
  const read = { text: '', isEnded: false };
  response.setEncoding('utf8');
  response.on('data', (text: string) => {
    read.text += text;
  });
  response.on('error', () => undefined);
  response.on('close', () => {
    read.isEnded = true;
  });
  clients.push({ dispose: () => response.destroy() });
  return { response, read };
}

describe('operations', () => {
  test('queries, mutations and subscriptions are streamed, one for each request', async () => {
    await start();
    const subscribe = client();
    const { seen: query } = subscribe('query { hello }', { name: 'Ada' });
    const { seen: ticks, stop } = subscribe('subscription { ticks }');
    await ticking();
    gateway.graph.tick('one');
    gateway.graph.tick('two');
    await eventually(() => expect(ticks.results).toEqual([value('one'), value('two')]));
    await eventually(() => expect(query.isComplete).toBe(true));
    expect(query.results).toEqual([value('hello Ada')]);
    stop();
    await ticking(0);
    expect((await gateway.metrics.openSubscriptions.get()).values[0]?.value).toBe(0);
  });

  test('EventSource can read it: by GET, with variables, headers for proxies and data in every event', async () => {
    await start();
    const { response, read } = await getStream({
      query: 'query { hello }',
      variables: JSON.stringify({ name: 'Grace' }),
    });
    await eventually(() => expect(read.isEnded).toBe(true));
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(read.text).toBe(
      ':\n\nevent: next\ndata: {"data":{"value":"hello Grace"}}\n\nevent: complete\ndata:\n\n',
    );
  });

  test('Apollo Client and Router can read it: in parts, each ended by the delimiter', async () => {
    await start();
    const accept = 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json';
    const { response, read } = await getStream(
      { query: 'query { hello }', variables: JSON.stringify({ name: 'Grace' }) },
      { ...AS_KEY, accept },
    );
    await eventually(() => expect(read.isEnded).toBe(true));
    expect(response.headers['content-type']).toBe(
      'multipart/mixed; boundary="graphql"; subscriptionSpec="1.0"',
    );
    const part = (json: string) => `\r\ncontent-type: application/json\r\n\r\n${json}\r\n--graphql`;
    expect(read.text).toBe(
      `\r\n--graphql${part('{}')}${part('{"payload":{"data":{"value":"hello Grace"}}}')}--\r\n`,
    );
  });

  test('what cannot run is said in the stream', async () => {
    await start();
    const { seen } = client()('subscription { nonsense }');
    await eventually(() => expect(seen.isComplete).toBe(true));
    expect(seen.results).toEqual([{ errors: [{ message: 'No such field.' }] }]);
  });

  test('the call is recorded when it begins, and counted once', async () => {
    await start();
    client()('subscription { ticks }');
    await ticking();
    expect(gateway.calls).toMatchObject([{ actor: 'key:1', channel: 'GRAPHQL', status: 200 }]);
  });

  test('a mutation by GET is refused and not run', async () => {
    await start();
    const { response } = await getStream({ query: 'mutation { slow }' });
    expect(response.statusCode).toBe(405);
    expect(response.headers.allow).toBe('POST');
    expect(gateway.graph.state.slow).toBe(0);
  });
});

describe('a safelist', () => {
  test('lets only what is listed run', async () => {
    gateway = await openGateway({}, 0, { texts: new Map([['a1', 'query { hello }']]), has: () => false });
    const refused = await getStream({ query: 'subscription { ticks }' });
    expect(refused.response.statusCode).toBe(403);
    const extensions = JSON.stringify({ persistedQuery: { version: 1, sha256Hash: 'b2' } });
    expect((await getStream({ extensions })).response.statusCode).toBe(400);
  });
});

describe('credentials', () => {
  test('a revoked key ends its streams with an error, and the client does not come back', async () => {
    await start();
    const { seen: ended } = client('key-1', { retryAttempts: 100 })('subscription { ticks }');
    const { seen: stays } = client('key-2')('subscription { ticks }');
    await ticking(2);
    gateway.workspace.known.delete('key-1');
    await gateway.live.publish('credentials', 'key:1');
    await eventually(() => expect(ended.isComplete).toBe(true));
    expect(ended.results).toMatchObject([{ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] }]);
    gateway.graph.tick('on');
    await eventually(() => expect(stays.results).toEqual([value('on')]));
  });

  test('a credential ends its streams when it expires', async () => {
    await start();
    const known = gateway.workspace.known.get('key-1')!;
    gateway.workspace.known.set('key-1', { ...known, expiresAt: '2026-03-02T11:00:00Z' });
    const { seen } = client()('subscription { ticks }');
    await ticking();
    gateway.clock.advance(3_600_000);
    await eventually(() =>
      expect(seen.results).toMatchObject([{ errors: [{ extensions: { reason: 'CREDENTIAL_EXPIRED' } }] }]),
    );
  });

  test('a module that is switched off ends what needs it', async () => {
    await start();
    const { seen } = client()('subscription { located }');
    await ticking();
    const known = gateway.workspace.known.get('key-1')!;
    gateway.workspace.known.set('key-1', { ...known, caller: { ...known.caller, modules: [] } });
    await gateway.live.publish('credentials', 'workspace:w');
    await eventually(() => expect(seen.isComplete).toBe(true));
    expect(seen.results).toMatchObject([{ errors: [{ extensions: { reason: 'MODULE_DISABLED' } }] }]);
    await ticking(0);
  });
});

describe('bounds', () => {
  test('comments keep a silent stream in use', async () => {
    await start({ pingMs: 40 });
    const { read } = await getStream({ query: 'subscription { ticks }' });
    await eventually(() => expect(read.text).toMatch(/^(:\n\n){4}/));
  });

  test('a client that stops reading is cut off, and no more is made for it than fits', async () => {
    await start({ slowMs: 100 });
    const { response } = await getStream({ query: 'subscription { flood }' });
    response.pause();
    await eventually(() => expect(gateway.graph.state.floods).toBe(1));
    await eventually(() => expect(gateway.graph.state.floods).toBe(0));
    expect(gateway.graph.state.pulled).toBeLessThan(200);
  });

  test('a subscription that was not read in time ends its stream, and the client asks again', async () => {
    await start();
    const { seen, stop } = client('key-1', { retryAttempts: 100 })('subscription { overflow }');
    await eventually(() => expect(seen.results.length).toBeGreaterThan(1));
    expect(seen).toMatchObject({ isComplete: false, error: null });
    stop();
  });

  test('one credential opens a bounded number of streams', async () => {
    await start({ connectionsPerOwner: 2 });
    const parameters = { query: 'subscription { ticks }' };
    await Promise.all([getStream(parameters), getStream(parameters)]);
    const { response } = await getStream(parameters);
    expect(response.statusCode).toBe(429);
    expect((await getStream(parameters, { ...STREAM, 'x-api-key': 'key-2' })).response.statusCode).toBe(200);
  });

  test('two hundred streams, each left again, leave nothing behind', async () => {
    await start();
    const subscribe = client();
    for (let round = 0; round < 10; round += 1) {
      const stops = Array.from({ length: 20 }, () => subscribe('subscription { ticks }').stop);
      await ticking(20);
      for (const stop of stops) stop();
      await ticking(0);
    }
    expect((await gateway.metrics.openSubscriptions.get()).values[0]?.value).toBe(0);
  });

  test('a client that goes while its credential is looked up leaves nothing behind', async () => {
    await start({ connectionsPerOwner: 1 });
    const hold = Promise.withResolvers<void>();
    gateway.workspace.state.hold = hold.promise;
    const { stop } = client()('subscription { ticks }');
    await eventually(() => expect(gateway.workspace.state.asked).toBe(1));
    stop();
    const isLetIn = async (headers: Record<string, string>) => {
      const { response } = await getStream({ query: 'query { hello }' }, headers);
      expect(response.statusCode).toBe(200);
    };
    await eventually(() => isLetIn(STREAM));
    hold.resolve();
    await isLetIn(AS_KEY);
    expect(gateway.graph.seen.map(({ actor }) => actor)).toEqual(['anonymous', 'key:1']);
  });

  test('a client that leaves without reading ends its subscription', async () => {
    await start({ slowMs: 60_000 });
    const { response } = await getStream({ query: 'subscription { flood }' });
    response.pause();
    await eventually(() => expect(gateway.graph.state.floods).toBe(1));
    response.destroy();
    await eventually(() => expect(gateway.graph.state.floods).toBe(0));
  });
});

describe('closing', () => {
  test('a running mutation is answered before the server closes', async () => {
    await start();
    const { seen } = client()('mutation { slow }');
    await eventually(() => expect(gateway.graph.state.slow).toBe(1));
    const stopped = gateway.close();
    gateway.graph.endSource();
    await stopped;
    await eventually(() => expect(seen).toMatchObject({ results: [value('slow')], isComplete: true }));
  });

  test('subscriptions go on by themselves when the server is back', async () => {
    await start();
    const { seen } = client('key-1', { retryAttempts: 10_000 })('subscription { ticks }');
    await ticking();
    const { port } = gateway;
    await gateway.close();
    await start({}, port);
    await ticking();
    gateway.graph.tick('again');
    await eventually(() => expect(seen.results).toEqual([value('again')]));
    expect(seen).toMatchObject({ error: null, isComplete: false });
  });
});
