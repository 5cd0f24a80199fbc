import { beforeAll, expect, test } from '@jest/globals';
import { enrol } from '../contract/members/members.fixture.ts';
import { useStack } from '../harness/stack.ts';

const stack = useStack();
let key: string;
let member: string;

beforeAll(async () => {
  const { token } = await stack.signUp();
  key = (await stack.key(token, ['members:read', 'members:write', 'points:write'])).secret;
  member = (await enrol(stack, key)).id;
});

const award = (idempotencyKey: string | null) =>
  stack.rest('POST', `/api/v2/members/${member}/points`, {
    as: key,
    body: { amount: 5, description: 'hello' },
    headers: idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey },
  });

test('an answer of REST says whether it is a replay', async () => {
  const replies = [await award('one'), await award('one'), await award('two'), await award(null)];
  expect(replies.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([
    null,
    'true',
    null,
    null,
  ]);
  expect(replies[1]!.body).toEqual(replies[0]!.body);
});

test('an answer of the graph says whether it is a replay', async () => {
  const query = 'mutation ($id: ID!) { awardPoints(memberId: $id, input: { amount: 3 }) { id } }';
  const call = () => stack.graph(query, { id: member }, key, { 'idempotency-key': 'three' });
  const replies = [await call(), await call()];
  expect(replies.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
  expect(replies[1]).not.toHaveProperty('extensions.replayed');
});
