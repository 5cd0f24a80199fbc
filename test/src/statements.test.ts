import { beforeAll, describe, expect, test } from '@jest/globals';
import { drawReceipt } from '@loyalty/commerce-subgraph/receipts/receipts.fixture';
import { fewestStatements } from './harness/fewest-statements.ts';
import { useStack } from './harness/stack.ts';

/** No N+1 queries: 50 members cost as many statements as one member. */
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
});

/** The number of SQL statements that one operation costs. */
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

interface Named {
  readonly name: string;
}

interface Referring {
  readonly member?: Named | null;
  readonly subject?: Named | null;
}

describe('members that a list refers to', () => {
  let pool: string;
  beforeAll(async () => {
    await stack.enable(token, 'receipts');
    pool = await make(
      'createCouponPool(input: { name: "Thanks", couponType: FIXED, discountDisplay: "5 EUR" }) { id }',
    );
    await make(`generateCoupons(poolId: "${pool}", count: 50) { id }`);
    for (const member of members) {
      const of = `memberId: "${member}"`;
      await make(`submitReceipt(input: { ${of}, image: "${drawReceipt([member])}" }) { id }`);
      await make(`redeemPointsForCoupon(${of}, poolId: "${pool}", pointsCost: 1) { coupon { id } }`);
      await make(`adjustPoints(${of}, amount: 1, reason: "found") { id }`);
    }
  });

  const make = async (mutation: string): Promise<string> => {
    const query = `mutation { made: ${mutation} }`;
    const { data, errors } = await stack.graph<{ made: { id: string } }>(query, {}, token);
    expect(errors).toBeUndefined();
    return data.made.id;
  };

  test.each([
    ['receipts', '', 'member { name(masked: false) } duplicateOf { member { name(masked: false) } }'],
    ['coupons', 'poolId: "POOL", status: ISSUED', 'member { name(masked: false) }'],
    ['auditLog', 'action: "adjustPoints"', 'subject { ... on Member { name(masked: false) } }'],
  ])('are named in %s by the same statements for 1 and for 50', async (list, filter, fields) => {
    const of = filter.replace('POOL', pool);
    const read = async (first: number) => {
      const query = `query ($first: Int!) { list: ${list}(${of} first: $first) { nodes { ${fields} } } }`;
      const { statements, data } = await cost(query, { first });
      const { nodes } = (data as { list: { nodes: readonly Referring[] } }).list;
      return { statements, names: nodes.map(({ member, subject }) => (member ?? subject)?.name ?? '') };
    };
    const [one, fifty] = [await read(1), await read(50)];
    expect(fifty.names.toSorted()).toEqual(members.map((_, n) => `Member ${n}`).toSorted());
    expect(fifty.statements).toBe(one.statements);
  });
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
