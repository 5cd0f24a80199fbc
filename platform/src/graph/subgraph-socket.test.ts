import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@loyalty/test/harness/eventually';
import { callerOf, useServices } from '@loyalty/test/harness/services';
import type { FastifyInstance } from 'fastify';
import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { Caller } from '../base/caller.ts';
import { signCaller, signSocket } from '../identity/caller-token.ts';
import { type CountedLive, countedLive, createNotes, noteId } from '../work/notes.fixture.ts';
import { subgraphServer } from './subgraph-server.ts';
import { saysStarted } from './subscription-protocol.ts';

const secrets = new Map([['a', randomBytes(32)]]);
const notes = createNotes();
const { services: shared } = useServices();
let services: typeof shared & { live: CountedLive };
let app: FastifyInstance;
let url: string;
const clients: Client[] = [];

beforeEach(async () => {
  services = { ...shared, live: countedLive() };
  app = subgraphServer(notes.subgraph, services, secrets);
  url = (await app.listen({ port: 0, host: '127.0.0.1' })).replace('http', 'ws');
});
afterEach(async () => {
  await Promise.allSettled(clients.splice(0).map((client) => client.dispose()));
  await app.close();
});

function connect(token?: Promise<string> | string): Client {
  const client = createClient({
    url: `${url}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: async () => ({ token: await token }),
  });
  clients.push(client);
  return client;
}

const query = 'subscription ($id: ID!) { noteChanged(id: $id) { text } }';
const asked = (caller: Partial<Caller> = {}, id = noteId) => ({
  query,
  variables: { id },
  extensions: { caller: { ...callerOf(), ...caller }, requestId: 'r', address: null },
});
const reasonOf = async (client: Client, message: Parameters<Client['iterate']>[0]) => {
  const { value } = await client.iterate(message).next();
  return value?.errors?.[0]?.extensions?.['reason'];
};

describe('a socket to a subgraph', () => {
  test.each([
    ['without a proof', () => undefined],
    ['with something else', () => 'x'],
    ['with the token of one call', () => signCaller({ caller: callerOf(), address: null }, secrets)],
    ["with somebody else's proof", () => signSocket(new Map([['a', randomBytes(32)]]))],
  ])('closes with 4401 %s', async (_, token) => {
    const results = connect(token()).iterate(asked());
    await expect(results.next()).rejects.toMatchObject({ code: 4401 });
  });

  test('carries many callers, and each gets what it may', async () => {
    const client = connect(signSocket(secrets));
    const results = client.iterate(asked());
    expect(saysStarted((await results.next()).value as object)).toBe(true);
    expect(await reasonOf(client, asked({ scopes: [] }))).toBe('SCOPE_MISSING');
    expect(await reasonOf(client, asked({}, '019cadfd-8900-713f-9842-000000000000'))).toBe(
      'RECORD_NOT_FOUND',
    );
    await notes.write(services.live, 'changed');
    expect((await results.next()).value).toEqual({ data: { noteChanged: { text: 'changed' } } });
  });

  test('runs nothing for a message that names no caller, and no query', async () => {
    const client = connect(signSocket(secrets));
    const { extensions, ...nameless } = asked();
    await expect(client.iterate(nameless).next()).rejects.toMatchObject([{ message: 'Name the caller.' }]);
    const { value } = await client.iterate({ query: '{ notes { id } }', extensions }).next();
    expect(value?.errors?.[0]?.message).toContain('subscription field "notes"');
    await expect(client.iterate({ query: '{ no', extensions }).next()).rejects.toMatchObject([
      { message: expect.stringContaining('Syntax Error') },
    ]);
  });

  test('ends every subscription that the gateway completes, or that its end leaves', async () => {
    const [first, second] = [connect(signSocket(secrets)), connect(signSocket(secrets))];
    const all = [first, first, second].map((client) => client.iterate(asked()));
    for (const results of all) await results.next();
    expect(services.live.listeners).toBe(6);
    await all[0]!.return!();
    await eventually(() => expect(services.live.listeners).toBe(4));
    second.terminate();
    await eventually(() => expect(services.live.listeners).toBe(2));
    await first.dispose();
    await eventually(() => expect(services.live.listeners).toBe(0));
  });

  test('is opened at /graphql only', async () => {
    const socket = new WebSocket(`${url}/elsewhere`, 'graphql-transport-ws');
    const error = await new Promise<Error>((resolve) => socket.once('error', resolve));
    expect(error.message).toContain('404');
  });
});

describe('when the server closes', () => {
  test('its sockets close with 1001, and nothing is held', async () => {
    const results = connect(signSocket(secrets)).iterate(asked());
    await results.next();
    const parked = results.next();
    parked.catch(() => undefined);
    await app.close();
    await expect(parked).rejects.toMatchObject({ code: 1001 });
    expect(services.live.listeners).toBe(0);
  });

  test('it does not wait for a peer that says nothing any more', async () => {
    const socket = new WebSocket(`${url}/graphql`, 'graphql-transport-ws');
    await new Promise((resolve) => socket.once('open', resolve));
    socket.pause();
    const startedAt = performance.now();
    await app.close();
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    socket.terminate();
  });
});
