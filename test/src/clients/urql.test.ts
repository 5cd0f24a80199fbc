import { beforeAll, expect, test } from '@jest/globals';
import { Client, cacheExchange, fetchExchange, subscriptionExchange } from '@urql/core';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { eventually } from '../harness/eventually.ts';
import { useStack } from '../harness/stack.ts';
import { type CardData, givenMembers, type PageData, texts, UNKNOWN_ID } from './clients.fixture.ts';

const stack = useStack();
let ids: string[];
let client: Client;
beforeAll(async () => {
  const given = await givenMembers(stack);
  ids = given.ids;
  const { authorization } = given;
  const socket = createClient({
    url: `${stack.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization },
  });
  stack.beforeClose(() => socket.dispose());
  client = new Client({
    url: `${stack.url}/graphql`,
    fetchOptions: { headers: { authorization } },
    exchanges: [
      cacheExchange,
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query, variables }) => ({
          subscribe: (sink) => ({
            unsubscribe: socket.subscribe(
              { query: query ?? '', ...(variables && { variables }) },
              sink as never,
            ),
          }),
        }),
      }),
    ],
  });
});

test('a query is answered', async () => {
  const { data, error } = await client.query<CardData>(texts.card, { id: ids[0] });
  expect(error).toBeUndefined();
  expect(data?.member).toMatchObject({ id: ids[0], pointsBalance: 0 });
});

test('a mutation is done, as a query that skips the cache shows', async () => {
  const variables = { id: ids[1] };
  const before = await client.query<CardData>(texts.card, variables);
  await client.mutation(texts.award, { memberId: ids[1], input: { amount: 5 } });
  const after = await client.query<CardData>(texts.card, variables, { requestPolicy: 'network-only' });
  expect([before, after].map(({ data }) => data?.member?.pointsBalance)).toEqual([0, 5]);
});

test('pages follow each other by their cursors', async () => {
  const first = await client.query<PageData>(texts.page, { first: 2 });
  expect(first.data?.members.pageInfo.hasNextPage).toBe(true);
  const after = first.data?.members.pageInfo.endCursor;
  const second = await client.query<PageData>(texts.page, { first: 2, after });
  const edges = [first, second].flatMap(({ data }) => data?.members.edges ?? []);
  expect(edges.map(({ node }) => node.id)).toEqual(ids);
});

test('an error has its category and its reason', async () => {
  const { error } = await client.mutation(texts.award, { memberId: UNKNOWN_ID, input: { amount: 5 } });
  expect(error?.graphQLErrors[0]?.extensions).toMatchObject({
    code: 'NOT_FOUND',
    reason: 'MEMBER_NOT_FOUND',
  });
});

test('a subscription receives what happens', async () => {
  const received: unknown[] = [];
  const variables = { memberId: ids[2] };
  const { unsubscribe } = client
    .subscription(texts.feed, variables)
    .subscribe(({ data }) => received.push(data));
  await eventually(async () => {
    await client.mutation(texts.award, { ...variables, input: { amount: 1 } });
    expect(received).toContainEqual({
      memberActivity: expect.objectContaining({ kind: 'POINTS_AWARDED' }),
    });
  });
  unsubscribe();
});
