import { beforeAll, expect, test } from '@jest/globals';
import { useStack } from './harness/stack.ts';

const stack = useStack();
let token: string;
beforeAll(async () => {
  ({ token } = await stack.signUp());
});

const LOG = `{ auditLog(first: 50) { nodes { action resourceType user { name } apiKey { name } subject {
  __typename ... on Member { id memberName: name } ... on Tier { id name } ... on CouponPool { id name }
  ... on Store { id name } ... on User { id userName: name } ... on ApiKey { id name } } } } }`;

interface Entry {
  readonly action: string;
  readonly user: { readonly name: string } | null;
  readonly apiKey: { readonly name: string } | null;
  readonly subject: Record<string, unknown> | null;
}

const made = async (query: string): Promise<string> => {
  const { data, errors } = await stack.graph<{ made: { id: string } }>(query, {}, token);
  expect(errors).toBeUndefined();
  return data.made.id;
};
const entries = async (): Promise<readonly Entry[]> => {
  const { data, errors } = await stack.graph<{ auditLog: { nodes: Entry[] } }>(LOG, {}, token);
  expect(errors).toBeUndefined();
  return data.auditLog.nodes;
};

test('an entry refers to what was changed, in whichever subgraph it is, and to who changed it', async () => {
  const gold = await made(
    'mutation { made: createTier(input: { name: "Gold", rank: 1, upgradeThreshold: 5 }) { id } }',
  );
  const old = await made(
    'mutation { made: createTier(input: { name: "Old", rank: 2, upgradeThreshold: 9 }) { id } }',
  );
  const pool = await made(`mutation { made: createCouponPool(input: {
    name: "Thanks", couponType: FIXED, discountDisplay: "5 EUR" }) { id } }`);
  const member = await made(
    'mutation { made: createMember(input: { email: "m@example.com", fullName: "Mia Moss" }) { id } }',
  );
  await stack.graph(
    `mutation { adjustPoints(memberId: "${member}", amount: 4, reason: "found") { id } }`,
    {},
    token,
  );
  await stack.graph(`mutation { deleteTier(id: "${old}") }`, {}, token);
  const { secret, id: key } = await stack.key(token);
  const query = 'mutation { createStore(input: { name: "Harbour", address: "Quay 1" }) { id } }';
  expect((await stack.graph(query, {}, secret)).errors).toBeUndefined();
  const found = await entries();
  const of = (action: string) => found.filter((entry) => entry.action === action);
  expect(of('createTier').map(({ subject }) => subject)).toEqual([
    null,
    { __typename: 'Tier', id: gold, name: 'Gold' },
  ]);
  expect(of('deleteTier')[0]!.subject).toBeNull();
  expect(of('createCouponPool')[0]!.subject).toEqual({ __typename: 'CouponPool', id: pool, name: 'Thanks' });
  expect(of('adjustPoints')[0]!.subject).toMatchObject({ __typename: 'Member', id: member });
  expect(of('createApiKey')[0]!.subject).toMatchObject({ __typename: 'ApiKey', id: key });
  expect(of('addTeamMember')[0]!.subject).toMatchObject({ __typename: 'User', userName: 'Ada Owner' });
  expect(of('createStore')[0]).toMatchObject({
    user: null,
    apiKey: { name: 'test' },
    subject: { name: 'Harbour' },
  });
});

test('a page of entries asks each subgraph once', async () => {
  for (const name of ['A', 'B', 'C', 'D'])
    await made(`mutation { made: createCouponPool(input: {
      name: "${name}", couponType: FIXED, discountDisplay: "5 EUR" }) { id } }`);
  await entries();
  stack.services.statements.length = 0;
  await entries();
  const reads = stack.services.statements.filter((text) => /FROM loyalty\.coupon_pools/.test(text));
  expect(reads).toHaveLength(1);
});
