import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { clientOf, type GraphReply } from '../harness/client.ts';
import { createTestDatabase } from '../harness/database/database.ts';
import { eventually } from '../harness/eventually.ts';
import { environmentOf } from '../processes/environment.ts';
import { type Seven, startSeven } from '../processes/processes.ts';

const database = await createTestDatabase();
let seven: Seven;
let client: ReturnType<typeof clientOf>;
let token: string;
let memberId: string;

/** All of a member on one page, with fields of every subgraph; aliases say which subgraph fills them. */
const MEMBER = `query ($id: ID!) { member(id: $id) {
  name pointsBalance tags { tag { key } } tier { name } coupons(first: 5) { totalCount } consents { purpose }
  pointsTransactions(first: 5) { nodes { amount } } visitSummary { count }
  visits(first: 5) { nodes { visitedOn commerce: store { name } } }
  commerce: orders(first: 5) { nodes { externalOrderId } } commerceSummary: orderSummary { orders }
  commerceReceipts: receipts(first: 5) { totalCount } commerceStore: homeStore { name }
  engagement: suppression { isUnsubscribed } engagementEmail: emailEngagement { sent }
  model: state { status } modelPredictions: predictions { expectedNextOrderOn }
  modelAnalyses: analyses { totalCount }
  workspace { name modelWallet: wallet { balance } } } }`;

type Page = GraphReply<{ member: Record<string, unknown> | null }>;
const read = (): Promise<Page> => client.graph(MEMBER, { id: memberId }, token);

beforeAll(async () => {
  seven = await startSeven(environmentOf(database.url));
  client = clientOf(seven.url);
  const account = { email: 'ada@example.com', password: 'a long password' };
  await client.rest('POST', '/api/v2/auth/register', { body: { ...account, name: 'Ada' } });
  ({ token } = (await client.rest('POST', '/api/v2/auth/login', { body: account })).body);
  const change = async (mutation: string): Promise<string> => {
    const { data, errors } = await client.graph<{ made: { id: string } }>(
      `mutation { made: ${mutation} }`,
      {},
      token,
    );
    if (errors) throw new Error(JSON.stringify(errors));
    return data.made.id;
  };
  await change('setModule(key: "receipts", enabled: true) { id: key }');
  const storeId = await change('createStore(input: {name: "Ribeira", address: "Porto"}) { id }');
  memberId = await change(
    `createMember(input: {email: "bo@example.com", fullName: "Bo", homeStoreId: "${storeId}"}) { id }`,
  );
  await change(`awardPoints(memberId: "${memberId}", input: {amount: 5}) { id }`);
  await change(`recordStoreVisit(memberId: "${memberId}", storeId: "${storeId}") { id: isNew }`);
}, 90_000);
afterAll(async () => {
  await seven.close();
  await database.drop();
});

/** Without the fields that the subgraph fills: they are named after it. */
const without = (name: string, value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, inner) => (key.startsWith(name) ? null : inner));

test.each(['commerce', 'engagement', 'model', 'workspace'] as const)(
  'a killed %s subgraph leaves the rest of a member standing, and its fields come back with it',
  async (name) => {
    const whole = await eventually(async () => {
      const found = await read();
      expect(found.errors).toBeUndefined();
      return found;
    });
    await seven.kill(name, 'SIGKILL');
    try {
      const { status, data, errors } = await read();
      expect({ status, member: data.member }).toEqual({
        status: 200,
        member: without(name, whole.data.member),
      });
      expect(errors?.length).toBeGreaterThan(0);
      for (const { message, extensions } of errors ?? []) {
        expect([message, extensions['code']]).toEqual([
          expect.stringContaining(`The ${name} service`),
          'UNAVAILABLE',
        ]);
      }
    } finally {
      await seven.restart(name);
    }
  },
  60_000,
);

test('without the subgraph that owns members there is no member, and the answer says why', async () => {
  await eventually(async () => expect((await read()).errors).toBeUndefined());
  await seven.kill('loyalty', 'SIGKILL');
  const { status, headers, data, errors } = await read();
  expect([status, data]).toEqual([503, undefined]);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(errors).toMatchObject([{ extensions: { code: 'UNAVAILABLE' } }]);
}, 60_000);
