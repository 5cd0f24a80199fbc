import { expect, test } from '@jest/globals';
import { createClient } from 'graphql-sse';
import { eventually } from './harness/eventually.ts';
import { useStack } from './harness/stack.ts';
import { watch } from './harness/watch.ts';

const stack = useStack();

const ACTIVITY = `subscription ($id: ID!) { memberActivity(memberId: $id) {
  kind pointsTransaction { amount }
  member { pointsBalance workspace { name } suppression { isUnsubscribed } } } }`;

async function memberWithKey() {
  const { token } = await stack.signUp();
  const key = await stack.key(token);
  const { body } = await stack.rest('POST', '/api/v2/members', {
    as: key.secret,
    body: { email: 'watched@example.com', fullName: 'Wanda Watched' },
  });
  const award = (amount: number) =>
    stack.rest('POST', `/api/v2/members/${body.id}/points`, { as: key.secret, body: { amount } });
  return { token, key, id: body.id as string, award };
}

test('an event stream brings fields of three subgraphs with every event and ends with its key', async () => {
  const { token, key, id, award } = await memberWithKey();
  const client = createClient({
    url: `${stack.url}/graphql`,
    headers: { authorization: `Bearer ${key.secret}` },
    retryAttempts: 0,
  });
  const received: unknown[] = [];
  const ended = Promise.withResolvers<unknown>();
  client.subscribe(
    { query: ACTIVITY, variables: { id } },
    {
      next: (result) => void received.push(result),
      error: ended.resolve,
      complete: () => ended.resolve('complete'),
    },
  );
  await eventually(async () => {
    await award(1);
    if (received.length === 0) throw new Error('nothing was received yet');
  }, 15_000);
  expect(received[0]).toMatchObject({
    data: {
      memberActivity: {
        kind: 'POINTS_AWARDED',
        pointsTransaction: { amount: 1 },
        member: { workspace: { name: expect.any(String) }, suppression: { isUnsubscribed: false } },
      },
    },
  });
  await stack.rest('DELETE', `/api/v2/api-keys/${key.id}`, { as: token });
  await ended.promise;
  client.dispose();
}, 30_000);

test('the wallet is sent at once, before anything changes', async () => {
  const { key } = await memberWithKey();
  const query = 'subscription { walletChanged { available plan } }';
  const watched = await watch(stack.url, { query }, key.secret);
  await eventually(() => expect(watched.results.length).toBeGreaterThan(0));
  expect(watched.results[0]).toEqual({
    data: { walletChanged: { available: expect.anything(), plan: 'TRIAL' } },
  });
  await watched.stop();
});

test("another workspace's member is not found, and nobody without a credential may watch", async () => {
  const [mine, theirs] = [await memberWithKey(), await memberWithKey()];
  const client = (authorization?: string) =>
    createClient({
      url: `${stack.url}/graphql`,
      headers: authorization ? { authorization } : {},
      retryAttempts: 0,
    });
  const first = async (authorization?: string): Promise<unknown> => {
    for await (const result of client(authorization).iterate({
      query: ACTIVITY,
      variables: { id: theirs.id },
    }))
      return result;
    return null;
  };
  expect(JSON.stringify(await first(`Bearer ${mine.key.secret}`))).toContain('MEMBER_NOT_FOUND');
  expect(JSON.stringify(await first())).toContain('CREDENTIAL_MISSING');
});
