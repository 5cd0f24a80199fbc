import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { createLog } from '@loyalty/platform/observe/log';
import { createMetrics } from '@loyalty/platform/observe/metrics';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { createOpenGateway, type OpenGateway } from './open-gateway.ts';
import { followSubgraphs } from './supergraph/introspect.ts';
import { overHttp } from './transport/http-transport.ts';
import { startSubgraph } from './transport/running-subgraph.fixture.ts';

const log = createLog({ level: 'silent', name: 'test' });
const metrics = createMetrics();
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const authors = {
  sdl: `type Query { authors: [Author!]! } type Author @key(fields: "id") { id: ID! name: String! }`,
  resolvers: {
    Query: { authors: () => [{ id: '1' }, { id: '2' }] },
    Author: {
      __resolveReference: ({ id }: { id: string }) => ({ id }),
      name: ({ id }: { id: string }) => `Author ${id}`,
    },
  },
};
const books = {
  sdl: `type Query { books: [Book!]! } type Book @key(fields: "isbn") { isbn: ID! author: Author! }
    type Author @key(fields: "id", resolvable: false) { id: ID! }
    type Subscription { published: Book! }`,
  resolvers: {
    Query: { books: () => [{ isbn: 'a', author: { id: '2' } }] },
    Subscription: {
      published: {
        async *subscribe() {
          yield { published: { isbn: 'b', author: { id: '1' } } };
          yield { published: { isbn: 'c', author: { id: '2' } } };
        },
      },
    },
  },
};

/** Starts a gateway over both running subgraphs that checks for changes every 50 ms. */
async function serve() {
  const running = {
    authors: await startSubgraph(authors.sdl, authors.resolvers),
    books: await startSubgraph(books.sdl, books.resolvers),
  };
  ends.push(running.authors.close, running.books.close);
  const named = Object.entries(running).map(([name, { url }]) => ({ name, url }));
  let gateway: OpenGateway | undefined;
  const failures: { err: Error }[] = [];
  const noting = Object.assign(Object.create(log), {
    error: (entry: { err: Error }) => failures.push(entry),
  });
  const followed = await followSubgraphs(named, 50, noting, (sdl) => gateway?.replace(sdl));
  gateway = await createOpenGateway({
    supergraphSdl: followed.supergraphSdl,
    connect: (name, url) =>
      overHttp({ name, url, timeoutMs: 2_000, answerBytesMax: 1_000_000, log, metrics }),
    log,
    metrics,
  });
  ends.push(gateway.close, followed.stop);
  const url = `${await gateway.app.listen({ port: 0, host: '127.0.0.1' })}/graphql`;
  const ask = async (query: string) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) });
    return (await response.json()) as { data?: unknown; errors?: { message: string }[] };
  };
  return { url, ask, failures, ...running };
}

test('an open gateway composes running subgraphs and joins them, for anybody, schema included', async () => {
  const { ask } = await serve();
  expect(await ask('{ books { isbn author { name } } __schema { queryType { name } } }')).toEqual({
    data: {
      books: [{ isbn: 'a', author: { name: 'Author 2' } }],
      __schema: { queryType: { name: 'Query' } },
    },
  });
});

test('a subgraph that changes is followed while requests go on, and none of them is dropped', async () => {
  const { ask, authors: running } = await serve();
  let isOver = false;
  const failed: unknown[] = [];
  const busy = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const { errors } = await ask('{ authors { id name } }');
        if (errors) failed.push(errors);
      }
    }),
  );
  running.become(authors.sdl.replace('name: String!', 'name: String! born: Int!'), {
    ...authors.resolvers,
    Author: { ...authors.resolvers.Author, born: () => 1952 },
  });
  let answer = await ask('{ authors { born } }');
  while (answer.errors?.[0]?.message.includes('Cannot query field'))
    answer = await ask('{ authors { born } }');
  isOver = true;
  await busy;
  expect(answer).toEqual({ data: { authors: [{ born: 1952 }, { born: 1952 }] } });
  expect(failed).toEqual([]);
});

test('schemas that do not compose leave the last good supergraph, until they compose again', async () => {
  const { ask, failures, authors: running } = await serve();
  const asked = '{ authors { id } books { author { name } } }';
  const expected = await ask(asked);
  const broken = authors.sdl.replace('name: String!', 'name: String! isbn: Book!');
  running.become(`${broken} type Book @key(fields: "other") { other: ID! }`, authors.resolvers);
  while (failures.length === 0) await delay(20);
  expect(failures[0]!.err.message).toContain('Book');
  expect(await ask(asked)).toEqual(expected);
  running.become(authors.sdl.replace('id: ID!', 'id: ID! born: Int'), authors.resolvers);
  let answer = await ask('{ authors { born } }');
  while (answer.errors) answer = await ask('{ authors { born } }');
  expect(answer).toEqual({ data: { authors: [{ born: null }, { born: null }] } });
});

test('a subgraph that is away at the start is named', async () => {
  const { url, close } = await startSubgraph(authors.sdl, authors.resolvers);
  await close();
  const followed = followSubgraphs([{ name: 'authors', url }], 50, log, () => undefined);
  await expect(followed).rejects.toThrow(`authors at ${url} does not say its schema`);
});

test('a subscription to a subgraph of others brings fields of another with every event', async () => {
  const { url } = await serve();
  const client = createClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket, retryAttempts: 0 });
  ends.push(async () => client.dispose());
  const results: unknown[] = [];
  for await (const result of client.iterate({
    query: 'subscription { published { isbn author { name } } }',
  })) {
    results.push(result);
  }
  expect(results).toEqual([
    { data: { published: { isbn: 'b', author: { name: 'Author 1' } } } },
    { data: { published: { isbn: 'c', author: { name: 'Author 2' } } } },
  ]);
});
