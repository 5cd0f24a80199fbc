import { beforeAll, describe, expect, test } from '@jest/globals';
import type { SubgraphName } from '@loyalty/platform/base/subgraph-name';
import { clientOf, type GraphReply } from '../harness/client.ts';
import { type Collector, startCollector } from '../harness/collector.ts';
import { createTestDatabase } from '../harness/database/database.ts';
import { eventually } from '../harness/eventually.ts';
import { useStack } from '../harness/stack.ts';
import { expectNothingPersonal, JOBS, orderTraced, pathTo, signUp } from '../trace.fixture.ts';
import { environmentOf } from './environment.ts';
import { type Process, type Seven, startProcess, startSeven } from './processes.ts';
import { runScenario, type Step } from './scenario.ts';

// The start of seven processes takes most of the time of these tests, so the tests share them.

const together = useStack();
let expected: Step[];
let collector: Collector;
let seven: Seven;
/** The process with the REST adapter. */
let adapter: Process;
let secondGateway: Process;
let client: ReturnType<typeof clientOf>;
let apart: ReturnType<typeof clientOf>;
let token: string;

beforeAll(async () => {
  await together.work();
  expected = await runScenario(together);
  const database = await createTestDatabase();
  together.beforeClose(() => database.drop());
  collector = await startCollector();
  together.beforeClose(() => collector.close());
  const OTEL_EXPORTER_OTLP_ENDPOINT = collector.endpoint;
  seven = await startSeven({ ...environmentOf(database.url), OTEL_EXPORTER_OTLP_ENDPOINT });
  together.beforeClose(() => seven.close());
  adapter = await startProcess(['serve', 'rest-adapter'], {
    GATEWAY_URL: seven.url,
    OTEL_EXPORTER_OTLP_ENDPOINT,
  });
  together.beforeClose(() => adapter.end());
  secondGateway = await startProcess(['serve', 'gateway'], seven.env);
  together.beforeClose(() => secondGateway.end());
  client = clientOf(seven.url);
  apart = { ...client, rest: clientOf(adapter.url).rest };
  const account = { email: 'ada@example.com', password: 'a long password to end' };
  await client.rest('POST', '/api/v2/auth/register', { body: { ...account, name: 'Ada' } });
  ({ token } = (await client.rest('POST', '/api/v2/auth/login', { body: account })).body);
}, 600_000);

test('seven processes answer the same story alike, also through a REST adapter apart', async () => {
  expect(await runScenario(client)).toEqual(expected);
  expect(await runScenario(apart)).toEqual(expected);
});

test('a REST write is one trace through seven processes and a REST adapter', async () => {
  const key = await signUp(apart);
  const { spans, memberId } = await orderTraced(apart, key, collector);
  for (const job of JOBS) {
    expect(pathTo(spans, job)).toEqual([
      'POST /api/v2/orders',
      'POST /graphql',
      'mutation',
      'subgraph commerce',
      'POST /graphql',
      'send order.created',
      job,
    ]);
  }
  expectNothingPersonal(collector, memberId, key);
});

const statusOf = async (url: string, key: string): Promise<number> =>
  (await clientOf(url).rest('GET', '/api/v2/members', { as: key })).status;

/** How long another gateway may use its cached copy of a key. */
const CACHED_MS = 1_000;

test('the gateway that revoked a key refuses it at once, another one refuses calls that begin a second later', async () => {
  for (let n = 0; n < 10; n += 1) {
    const { body } = await client.rest('POST', '/api/v2/api-keys', {
      as: token,
      body: { name: 'till', scopes: ['members:read'] },
    });
    expect([await statusOf(seven.url, body.key), await statusOf(secondGateway.url, body.key)]).toEqual([
      200, 200,
    ]);
    await client.rest('DELETE', `/api/v2/api-keys/${body.id}`, { as: token });
    const revokedAt = performance.now();
    expect([n, await statusOf(seven.url, body.key)]).toEqual([n, 401]);
    for (let askedAt = revokedAt; ; askedAt = performance.now()) {
      if ((await statusOf(secondGateway.url, body.key)) === 401) break;
      expect(askedAt - revokedAt).toBeLessThan(CACHED_MS);
    }
  }
});

/**
 * All data of a member in one query, with fields of every subgraph. Aliases begin with the name of the
 * subgraph that fills the field.
 */
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

/** Replaces the fields of a subgraph with null; their names begin with the name of the subgraph. */
const without = (name: string, value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, inner) => (key.startsWith(name) ? null : inner));

describe('subgraphs that are killed', () => {
  let memberId: string;
  const read = (): Promise<Page> => client.graph(MEMBER, { id: memberId }, token);

  beforeAll(async () => {
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
  });

  /**
   * The gateway caches a token for a second. A busy machine may need longer, so the subgraph is restarted and
   * killed again.
   */
  async function readWithout(name: SubgraphName): Promise<Page> {
    for (let attempt = 1; ; attempt += 1) {
      const page = await read();
      if (page.status === 200 || name !== 'workspace' || attempt === 10) return page;
      await seven.restart(name);
      await eventually(async () => expect((await read()).errors).toBeUndefined());
      await seven.kill(name, 'SIGKILL');
    }
  }

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
        const { status, data, errors } = await readWithout(name);
        expect({ status, member: data?.member }).toEqual({
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
    240_000,
  );

  test('without the subgraph that owns members there is no member, and the answer says why', async () => {
    await eventually(async () => expect((await read()).errors).toBeUndefined());
    await seven.kill('loyalty', 'SIGKILL');
    try {
      const { status, headers, data, errors } = await read();
      expect([status, data]).toEqual([503, undefined]);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(errors).toMatchObject([{ extensions: { code: 'UNAVAILABLE' } }]);
    } finally {
      await seven.restart('loyalty');
    }
  });
});

test('all processes exit with 0 when they are stopped', async () => {
  expect(await Promise.all([adapter.end(), secondGateway.end()])).toEqual([0, 0]);
  expect(await seven.close()).toEqual(Array(7).fill(0));
});
