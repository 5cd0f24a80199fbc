import type { clientOf } from '../harness/client.ts';
import { eventually } from '../harness/eventually.ts';
import { type Watch, watch } from '../harness/watch.ts';
import { askTheModel } from './scenario-model.ts';

type Client = ReturnType<typeof clientOf>;

/** One step of the scenario: the request, the status, and the answer with placeholders for ids and times. */
export type Step = readonly [asked: string, status: number, answer: unknown];

const SPANNING = `query ($id: ID!) { member(id: $id) {
  name status pointsBalance tier { name }
  pointsTransactions(first: 5) { nodes { amount balanceAfter description } }
  suppression { isUnsubscribed } homeStore { name } workspace { name wallet { balance available plan } } } }`;

const ACTIVITY = `subscription ($id: ID!) { memberActivity(memberId: $id) {
  kind pointsTransaction { amount } member { name pointsBalance homeStore { name } workspace { name }
  suppression { isUnsubscribed } } } }`;

/** A client over REST and GraphQL that records every answer as a step. */
function recordingClient(client: Client) {
  const steps: Step[] = [];
  const note = (asked: string, { status, body }: { status: number; body: unknown }) => {
    steps.push([asked, status, withPlaceholders(body)]);
    // biome-ignore lint/suspicious/noExplicitAny: the story reads ids out of replies
    return body as any;
  };
  const rest = async (
    method: string,
    path: string,
    as?: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) =>
    note(
      `${method} ${path.replace(/[0-9a-f-]{36}/, ':id')}`,
      await client.rest(method, path, { as: as ?? null, body, headers }),
    );
  const graph = async (query: string, variables: object, as?: string) => {
    const { status, data, errors } = await client.graph(query, variables, as);
    return note(query.slice(0, 60), { status, body: { data, errors } });
  };
  return { steps, rest, graph };
}

/** Runs one scenario against any deployment: sign-up, key, store, tier, member, points, opt-out, refusals. */
export async function runScenario(client: Client): Promise<Step[]> {
  const { steps, rest, graph } = recordingClient(client);
  const account = { email: `story.${Math.random()}@example.com`, password: 'a long pass phrase' };
  await rest('POST', '/api/v2/auth/register', undefined, { ...account, name: 'Story' });
  const { token } = await rest('POST', '/api/v2/auth/login', undefined, account);
  const scopes = [
    'members:read',
    'members:write',
    'points:write',
    'metrics:read',
    'orders:write',
    'coupons:write',
  ];
  const { id: keyId, key } = await rest('POST', '/api/v2/api-keys', token, { name: 'story', scopes });
  const storeId = await setUp({ graph }, token);
  const member = await rest('POST', '/api/v2/members', key, {
    email: 'hero@example.com',
    fullName: 'The Hero',
    storeId,
  });
  await rest('POST', '/api/v2/members', key, { email: 'HERO@example.com' });
  const watched = await watchMember(client, member.id, key);
  await rest('POST', `/api/v2/members/${member.id}/points`, key, { amount: 150, description: 'order 1' });
  await eventually(() => {
    if (!watched.results.some(isAboutPoints)) throw new Error('the points were not received yet');
  });
  await rest('POST', `/api/v2/members/${member.id}/points`, key, { amount: 0 });
  await rest('GET', `/api/v2/members/${member.id}/tier`, key);
  await rest('POST', '/api/v2/members/unsubscribe', key, { email: 'hero@example.com' });
  await eventually(async () => {
    const { body } = await client.rest('GET', `/api/v2/members/${member.id}`, { as: key });
    if (body.status !== 'unsubscribed') throw new Error(`still ${body.status}`);
  });
  await buyAndImport({ client, rest, graph }, { memberId: member.id, storeId, token, key });
  await askTheModel({ rest, graph }, token);
  await graph(SPANNING, { id: member.id }, key);
  await rest('GET', '/api/v2/members?limit=0', key);
  await rest('DELETE', `/api/v2/api-keys/${keyId}`, token);
  steps.push([
    'subscription',
    (await watched.ended).code,
    withPlaceholders(watched.results.filter(isAboutPoints)),
  ]);
  await eventually(async () => {
    const { status } = await client.rest('GET', '/api/v2/members', { as: key });
    if (status !== 401) throw new Error(`the revoked key still answers ${status}`);
  });
  return steps;
}

type Calls = Pick<ReturnType<typeof recordingClient>, 'rest' | 'graph'> & { readonly client: Client };

/** Steps in which one subgraph asks another: an order, a coupon redeemed in a store, an uploaded file. */
async function buyAndImport(
  { client, rest, graph }: Calls,
  { memberId, storeId, token, key }: Readonly<Record<'memberId' | 'storeId' | 'token' | 'key', string>>,
): Promise<void> {
  const sale = { currency: 'EUR', total: 2_500, occurredAt: '2026-01-02T10:00:00.000Z' };
  await rest('POST', '/api/v2/orders', key, { externalOrderId: 'o-1', memberId, storeId, ...sale });
  await rest('POST', '/api/v2/orders', key, { externalOrderId: 'o-2', memberId: storeId, ...sale });
  const made = await graph(
    'mutation ($input: CreateCouponPoolInput!) { createCouponPool(input: $input) { id } }',
    { input: { name: 'Thanks', couponType: 'FIXED', discountDisplay: '5 EUR' } },
    token,
  );
  const pool_id = made.data.createCouponPool.id;
  const codes = { id: pool_id, codes: ['STORY-1'] };
  await graph(
    'mutation ($id: ID!, $codes: [String!]!) { importCoupons(poolId: $id, codes: $codes) { availableCount } }',
    codes,
    token,
  );
  const { coupon } = await rest('POST', `/api/v2/members/${memberId}/redeem-coupon`, key, {
    pool_id,
    points_cost: 20,
  });
  await rest('POST', `/api/v2/coupons/${coupon.id}/redeem`, key, { store_id: storeId });
  await eventually(async () => {
    const { body } = await client.rest('GET', `/api/v2/members/${memberId}/profile`, { as: key });
    if (body.visits?.count !== 1) throw new Error('the visit was not kept yet');
  });
  const csv = { 'content-type': 'text/csv' };
  const file = 'email,name\nann@example.com,Ann\nnobody,Bo\n';
  const { data } = await rest('POST', '/api/v2/members/import', key, file, csv);
  await eventually(async () => {
    const { body } = await client.rest('GET', `/api/v2/members/import/${data.id}`, { as: key });
    if (!body.data.finished_at) throw new Error(`the import is ${body.data.status}`);
  });
  await rest('GET', `/api/v2/members/import/${data.id}`, key);
}

/** Makes a store and a tier; returns the id of the store. */
async function setUp({ graph }: Pick<Calls, 'graph'>, token: string): Promise<string> {
  const made = await graph(
    'mutation ($input: CreateStoreInput!) { createStore(input: $input) { id name } }',
    { input: { name: 'Corner', address: 'Street 1' } },
    token,
  );
  await graph(
    'mutation ($input: CreateTierInput!) { createTier(input: $input) { name } }',
    { input: { name: 'Gold', rank: 1, upgradeThreshold: 100, multiplier: 1.5 } },
    token,
  );
  return made.data.createStore.id;
}

/**
 * Watches a member, and changes the member until one change arrives, because the protocol does not report the
 * start of a subscription.
 */
async function watchMember(client: Client, id: string, key: string): Promise<Watch> {
  const watched = await watch(client.url, { query: ACTIVITY, variables: { id } }, key);
  let changes = 0;
  await eventually(async () => {
    changes += 1;
    const body = { fullName: `The Hero ${changes}` };
    await client.rest('PATCH', `/api/v2/members/${id}`, { as: key, body });
    if (watched.results.length === 0) throw new Error('nothing was received yet');
  });
  await client.rest('PATCH', `/api/v2/members/${id}`, { as: key, body: { fullName: 'The Hero' } });
  return watched;
}

const isAboutPoints = (result: unknown): boolean => JSON.stringify(result).includes('POINTS_AWARDED');

/** Replaces ids, secrets and times, which differ between two runs. Everything else must be equal. */
function withPlaceholders(body: unknown): unknown {
  const text = JSON.stringify(body)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/lk_(live|test)_[^"]+/g, 'KEY')
    .replaceAll(/eyJ[\w.-]+/g, 'TOKEN')
    .replaceAll(/story\.[\d.]+@/g, 'story@')
    .replaceAll(/"token":"[\w-]{43}"/g, '"token":"TOKEN"');
  return JSON.parse(text);
}
