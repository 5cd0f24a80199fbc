import { beforeAll, expect, test } from '@jest/globals';
import { composeGateway } from '@loyalty/cli/serve/compose-process';
import { localTransports } from '@loyalty/cli/subgraphs';
import { systemClock } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { type Client, clientOf } from '../harness/client.ts';
import { eventually } from '../harness/eventually.ts';
import { useStack } from '../harness/stack.ts';
import { watch } from '../harness/watch.ts';

/** Both engines serve the same database; `npm run test:apollo` runs the whole contract with Apollo Gateway. */
const stack = useStack();
let apollo: Client;
let token: string;
let key: string;
let memberId: string;
const unknownId = newId(systemClock);

beforeAll(async () => {
  const config = { ...stack.services.config, GATEWAY_ENGINE: 'apollo' as const };
  const services = { ...stack.services, config };
  const gateway = await composeGateway(services, localTransports(services));
  stack.beforeClose(() => gateway.close());
  apollo = clientOf(await gateway.app.listen({ port: 0, host: '127.0.0.1' }));
  ({ token } = await stack.signUp());
  key = (await stack.key(token)).secret;
  const member = { email: 'ada@example.com', fullName: 'Ada Able' };
  memberId = (await apollo.rest('POST', '/api/v2/members', { as: key, body: member })).body.id;
  await apollo.rest('POST', `/api/v2/members/${memberId}/points`, { as: key, body: { amount: 120 } });
});

const MEMBER = `query ($id: ID!, $isShort: Boolean = false) { member(id: $id) {
  __typename name pointsBalance tier { name } homeStore { name }
  orderSummary { orders revenueMinor } visitSummary { count } suppression { isUnsubscribed }
  transactions: pointsTransactions(first: 5) @skip(if: $isShort) { nodes { kind amount balanceAfter } }
  workspace { name wallet { available } } } }`;

test.each([
  ['fields of five subgraphs', MEMBER, () => ({ id: memberId })],
  ['a condition', MEMBER, () => ({ id: memberId, isShort: true })],
  ['an unknown member', MEMBER, () => ({ id: unknownId })],
  ['a variable that is missing', MEMBER, () => ({})],
  ['a variable of another type', MEMBER, () => ({ id: memberId, isShort: 'perhaps' })],
  ['an id that is no UUID', MEMBER, () => ({ id: 'x' })],
  ['a field that does not exist', '{ member(id: 1) { nothing } }', () => ({})],
  ['introspection', '{ __type(name: "Tier") { name fields { name } } }', () => ({})],
  [
    'a mutation with one refused field',
    `mutation ($id: ID!) { awardPoints(memberId: $id, input: { amount: 0 }) { amount } }`,
    () => ({ id: memberId }),
  ],
])('both engines answer %s alike', async (_, query, variables) => {
  const [one, other] = [
    await stack.graph(query, variables(), token),
    await apollo.graph(query, variables(), token),
  ];
  const { headers: _one, ...compiled } = one;
  const { headers: _other, ...shown } = other;
  expect(shown).toEqual(compiled);
  expect(shown.data ?? shown.errors).toBeTruthy();
});

test.each([
  ['one member', 'GET', () => `/api/v2/members/${memberId}`],
  ['a list', 'GET', () => '/api/v2/members?limit=1'],
  ['the points of a member', 'GET', () => `/api/v2/members/${memberId}/points`],
  ['an unknown member', 'GET', () => `/api/v2/members/${unknownId}`],
  ['an invalid award', 'POST', () => `/api/v2/members/${memberId}/points`],
])('both engines answer REST for %s alike', async (_, method, path) => {
  const options = { as: key, ...(method === 'POST' && { body: { amount: -1 } }) };
  const [one, other] = [
    await stack.rest(method, path(), options),
    await apollo.rest(method, path(), options),
  ];
  expect([other.status, other.body]).toEqual([one.status, one.body]);
});

test('a caller without permission is refused before Apollo Gateway runs', async () => {
  const { errors } = await apollo.graph(MEMBER, { id: memberId });
  expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
});

test('subscriptions work with Apollo Gateway, too', async () => {
  const query = `subscription ($id: ID!) { memberActivity(memberId: $id) { kind member { name } } }`;
  const watched = await watch(apollo.url, { query, variables: { id: memberId } }, key);
  await eventually(async () => {
    await apollo.rest('POST', `/api/v2/members/${memberId}/points`, { as: key, body: { amount: 1 } });
    expect(watched.results).not.toEqual([]);
  });
  expect(watched.results[0]).toEqual({
    data: { memberActivity: { kind: 'POINTS_AWARDED', member: { name: 'A. A.' } } },
  });
  await watched.stop();
});
