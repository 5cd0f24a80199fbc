import { beforeAll, expect, test } from '@jest/globals';
import { fewestStatements } from './harness/fewest-statements.ts';
import { useStack } from './harness/stack.ts';

/** No N+1: what 50 members cost, one member costs too. */
const stack = useStack();
let token: string;
const members: string[] = [];

beforeAll(async () => {
  ({ token } = await stack.signUp());
  const { data } = await stack.graph<{ createStore: { id: string } }>(
    'mutation { createStore(input: {name: "Corner", address: "Street 1"}) { id } }',
    {},
    token,
  );
  await stack.graph(
    'mutation { createTier(input: {name: "Gold", rank: 1, upgradeThreshold: 1, multiplier: 1}) { id } }',
    {},
    token,
  );
  for (let n = 0; n < 50; n += 1) {
    const input = { email: `m${n}@example.com`, fullName: `Member ${n}`, homeStoreId: data.createStore.id };
    const made = await stack.graph<{ createMember: { id: string } }>(
      'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }',
      { input },
      token,
    );
    members.push(made.data.createMember.id);
    await stack.graph(
      'mutation ($id: ID!) { awardPoints(memberId: $id, input: {amount: 5}) { id } }',
      { id: members.at(-1) },
      token,
    );
  }
}, 60_000);

/** SQL statements that one operation costs. */
async function cost(query: string, variables: object): Promise<{ statements: number; data: unknown }> {
  const { statements, answer } = await fewestStatements(stack, () => stack.graph(query, variables, token));
  expect(answer.errors).toBeUndefined();
  return { statements, data: answer.data };
}

const FIELDS = `id name email status pointsBalance customAttributes tier { name }
  pointsTransactions(first: 5) { nodes { amount balanceAfter } }
  suppression { isUnsubscribed } homeStore { name status } workspace { name wallet { balance available } }`;

test('a list over all five subgraphs costs the same statements for 1 member and for 50', async () => {
  const query = `query ($first: Int!) { members(first: $first) { nodes { ${FIELDS} } totalCount } }`;
  const one = await cost(query, { first: 1 });
  const fifty = await cost(query, { first: 50 });
  expect((fifty.data as { members: { nodes: unknown[] } }).members.nodes).toHaveLength(50);
  expect(fifty.statements).toBe(one.statements);
  expect(one.statements).toBeLessThanOrEqual(12);
});

test('a single member over all five subgraphs costs no more than the list', async () => {
  const { statements } = await cost(`query ($id: ID!) { member(id: $id) { ${FIELDS} } }`, { id: members[0] });
  expect(statements).toBeLessThanOrEqual(12);
});

test('totalCount is counted only when it is selected', async () => {
  const counted = await cost('{ members { nodes { id } totalCount } }', {});
  const uncounted = await cost('{ members { nodes { id } } }', {});
  expect(uncounted.statements).toBe(counted.statements - 1);
});

test.each([
  ['/api/v2/members?limit=1', '/api/v2/members?limit=50'],
  ['/api/v2/stores?limit=1', '/api/v2/stores?limit=50'],
])('REST %s costs as many statements as 50', async (one, fifty) => {
  const sent = [];
  for (const path of [one, fifty]) {
    const { statements, answer } = await fewestStatements(stack, () =>
      stack.rest('GET', path, { as: token }),
    );
    expect(answer.status).toBe(200);
    sent.push(statements);
  }
  expect(sent[1]).toBe(sent[0]);
});
