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
  });
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
});

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

test('who is signed in is sent anew when a module, a role or a key changes, and nobody else is', async () => {
  const { token } = await stack.signUp();
  const { token: other } = await stack.signUp();
  const { id, secret } = await stack.key(token, ['members:read']);
  const query = 'subscription { viewerChanged { kind role scopes modules workspace { name } } }';
  const [person, stranger, key] = await Promise.all(
    [token, other, secret].map((as) => watch(stack.url, { query }, as)),
  );
  const watched = [person!, stranger!, key!];
  await eventually(() => expect(watched.map(({ results }) => results.length)).toEqual([1, 1, 1]));
  await stack.enable(token, 'receipts');
  await eventually(() => expect(watched.map(({ results }) => results.length)).toEqual([2, 1, 2]));
  const modules = ['receipts'];
  expect(person!.results[1]).toMatchObject({
    data: { viewerChanged: { kind: 'USER', role: 'OWNER', modules } },
  });
  expect(key!.results[1]).toMatchObject({
    data: { viewerChanged: { kind: 'KEY', role: null, scopes: ['members:read'], modules } },
  });
  await stack.rest('DELETE', `/api/v2/api-keys/${id}`, { as: token });
  await key!.ended;
  await Promise.all([person!.stop(), stranger!.stop()]);
});

test('calls of a key are sent as they are logged, each once, and no calls of others', async () => {
  const { token } = await stack.signUp();
  const { token: other } = await stack.signUp();
  const [till, shop] = [await stack.key(token, ['members:read']), await stack.key(token, ['members:read'])];
  const query = 'subscription ($id: ID) { callLogged(apiKeyId: $id) { id actor operation status } }';
  const [ofTill, ofAll, ofOther] = await Promise.all([
    watch(stack.url, { query, variables: { id: till.id } }, token),
    watch(stack.url, { query }, token),
    watch(stack.url, { query, variables: { id: till.id } }, other),
  ]);
  const call = (as: string) => stack.rest('GET', '/api/v2/members', { as });
  for (let round = 1; round <= 3; round += 1) {
    await Promise.all([call(till.secret), call(shop.secret)]);
    await eventually(() => expect(ofTill!.results).toHaveLength(round));
  }
  type Logged = { data: { callLogged: { id: string; actor: string; operation: string; status: number } } };
  const calls = (ofTill!.results as Logged[]).map(({ data }) => data.callLogged);
  expect(new Set(calls.map(({ id }) => id)).size).toBe(3);
  for (const { actor, operation, status } of calls)
    expect([actor, operation, status]).toEqual([`key:${till.id}`, 'GET /api/v2/members', 200]);
  const byKeys = () =>
    (ofAll!.results as Logged[]).filter(({ data }) => data.callLogged.actor.startsWith('key:'));
  await eventually(() => expect(byKeys()).toHaveLength(6));
  expect(ofOther!.results).toEqual([]);
  await Promise.all([ofTill, ofAll, ofOther].map((each) => each!.stop()));
});
