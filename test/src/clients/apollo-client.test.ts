import {
  ApolloClient,
  type ApolloLink,
  CombinedGraphQLErrors,
  gql,
  HttpLink,
  InMemoryCache,
} from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { relayStylePagination } from '@apollo/client/utilities';
import { beforeAll, expect, test } from '@jest/globals';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { eventually } from '../harness/eventually.ts';
import { useStack } from '../harness/stack.ts';
import { type CardData, givenMembers, type PageData, texts, UNKNOWN_ID } from './clients.fixture.ts';

const stack = useStack();
let authorization: string;
let ids: string[];
let client: ApolloClient;
beforeAll(async () => {
  ({ authorization, ids } = await givenMembers(stack));
  client = new ApolloClient({
    link: new HttpLink({ uri: `${stack.url}/graphql`, headers: { authorization } }),
    cache: new InMemoryCache({ typePolicies: { Query: { fields: { members: relayStylePagination() } } } }),
  });
});

test('a query is answered, and then read from the cache', async () => {
  const query = gql(texts.card);
  const variables = { id: ids[0]! };
  const { data } = await client.query<CardData>({ query, variables });
  expect(data?.member).toMatchObject({ id: ids[0], pointsBalance: 0, __typename: 'Member' });
  expect(client.readQuery({ query, variables })).toEqual(data);
});

test('a mutation changes what the cache shows of the same thing', async () => {
  const variables = { memberId: ids[1], input: { amount: 5 } };
  const { data } = await client.mutate({ mutation: gql(texts.award), variables });
  expect(data).toMatchObject({ awardPoints: { amount: 5, balanceAfter: 5 } });
});

test('pages are merged by their cursors', async () => {
  const pages = client.watchQuery<PageData>({ query: gql(texts.page), variables: { first: 2 } });
  const subscription = pages.subscribe(() => undefined);
  const shown = () => (pages.getCurrentResult().data as PageData | undefined)?.members;
  const shownIds = () => shown()?.edges.map(({ node }) => node.id);
  await eventually(async () => expect(shownIds()).toEqual(ids.slice(0, 2)));
  await pages.fetchMore({ variables: { first: 2, after: shown()?.pageInfo.endCursor } });
  await eventually(async () => expect(shownIds()).toEqual(ids));
  expect(shown()?.pageInfo.hasNextPage).toBe(false);
  subscription.unsubscribe();
});

test('an error has its category and its reason', async () => {
  const variables = { memberId: UNKNOWN_ID, input: { amount: 5 } };
  const failing = client.mutate({ mutation: gql(texts.award), variables });
  const error = await failing.catch((thrown: unknown) => thrown);
  expect(CombinedGraphQLErrors.is(error) && error.errors[0]?.extensions).toMatchObject({
    code: 'NOT_FOUND',
    reason: 'MEMBER_NOT_FOUND',
  });
});

/** The two transports that Apollo Client has for subscriptions. */
const liveLinks: Readonly<Record<string, () => ApolloLink>> = {
  'a WebSocket': () => {
    const socket = createClient({
      url: `${stack.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization },
    });
    stack.beforeClose(() => socket.dispose());
    return new GraphQLWsLink(socket);
  },
  'multipart over HTTP': () => new HttpLink({ uri: `${stack.url}/graphql`, headers: { authorization } }),
};

test.each(Object.entries(liveLinks))('a subscription by %s receives what happens', async (_, linkOf) => {
  const live = new ApolloClient({ link: linkOf(), cache: new InMemoryCache() });
  const received: unknown[] = [];
  const variables = { memberId: ids[2] };
  const subscription = live
    .subscribe({ query: gql(texts.feed), variables })
    .subscribe(({ data }) => received.push(data));
  await eventually(async () => {
    await client.mutate({ mutation: gql(texts.award), variables: { ...variables, input: { amount: 1 } } });
    expect(received).toContainEqual({
      memberActivity: expect.objectContaining({ kind: 'POINTS_AWARDED' }),
    });
  });
  subscription.unsubscribe();
});

test('a refused subscription by multipart is an error of the client', async () => {
  const live = new ApolloClient({ link: liveLinks['multipart over HTTP']!(), cache: new InMemoryCache() });
  const errors: unknown[] = [];
  const subscription = live
    .subscribe({ query: gql('subscription { memberActivity(memberId: "x") { kind } nonsense }') })
    .subscribe(({ error }) => errors.push(error));
  await eventually(() => expect(errors.map((error) => CombinedGraphQLErrors.is(error))).toEqual([true]));
  subscription.unsubscribe();
});
