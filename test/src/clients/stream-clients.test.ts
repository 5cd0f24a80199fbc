import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ExecutionResult } from 'graphql';
import { createClient as createEventStreams } from 'graphql-sse';
import { createClient as createSockets } from 'graphql-ws';
import { WebSocket } from 'ws';
import { eventually } from '../harness/eventually.ts';
import { useStack } from '../harness/stack.ts';
import { givenMembers, type PageData, texts, UNKNOWN_ID } from './clients.fixture.ts';

const stack = useStack();

interface Payload {
  readonly query: string;
  readonly variables: Record<string, unknown>;
}

/** The part of the interface that both clients share. */
interface StreamClient {
  iterate<Data>(payload: Payload): AsyncIterableIterator<ExecutionResult<Data>>;
  dispose(): unknown;
}

const clients: Readonly<Record<string, (authorization: string) => StreamClient>> = {
  'graphql-ws': (authorization) =>
    createSockets({
      url: `${stack.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization },
    }) as StreamClient,
  'graphql-sse': (authorization) =>
    createEventStreams({ url: `${stack.url}/graphql`, headers: { authorization } }) as StreamClient,
};

describe.each(Object.entries(clients))('%s without an adapter', (_, connect) => {
  let client: StreamClient;
  let ids: string[];
  beforeAll(async () => {
    const given = await givenMembers(stack);
    ids = given.ids;
    client = connect(given.authorization);
    stack.beforeClose(() => client.dispose());
  });

  /** Runs an operation that gives exactly one answer and then completes. */
  async function once<Data = Record<string, unknown>>(query: string, variables: Payload['variables']) {
    const answers: ExecutionResult<Data>[] = [];
    for await (const answer of client.iterate<Data>({ query, variables })) answers.push(answer);
    expect(answers).toHaveLength(1);
    return answers[0]!;
  }

  test('a query and a mutation are answered once and complete', async () => {
    const award = { memberId: ids[1], input: { amount: 5 } };
    expect((await once(texts.award, award)).data).toMatchObject({ awardPoints: { balanceAfter: 5 } });
    const { data } = await once(texts.card, { id: ids[1] });
    expect(data).toMatchObject({ member: { id: ids[1], pointsBalance: 5 } });
  });

  test('pages follow each other by their cursors', async () => {
    const first = await once<PageData>(texts.page, { first: 2 });
    const after = first.data?.members.pageInfo.endCursor;
    const second = await once<PageData>(texts.page, { first: 2, after });
    const edges = [first, second].flatMap(({ data }) => data?.members.edges ?? []);
    expect(edges.map(({ node }) => node.id)).toEqual(ids);
  });

  test('an error of a field has its category and its reason', async () => {
    const { errors } = await once(texts.award, { memberId: UNKNOWN_ID, input: { amount: 5 } });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND', reason: 'MEMBER_NOT_FOUND' });
  });

  test('a subscription receives what happens, until the client ends it', async () => {
    const variables = { memberId: ids[2] };
    const feed = client.iterate({ query: texts.feed, variables });
    const event = feed.next();
    let arrived: unknown;
    void event.then(({ value }) => {
      arrived = value;
    });
    await eventually(async () => {
      await once(texts.award, { ...variables, input: { amount: 1 } });
      expect(arrived).toMatchObject({ data: { memberActivity: { kind: 'POINTS_AWARDED' } } });
    });
    await feed.return?.();
  });
});
