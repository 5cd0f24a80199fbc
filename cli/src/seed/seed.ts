import type { Graph } from '@loyalty/gateway/graph';
import { anonymous, type Caller, systemCaller } from '@loyalty/platform/caller/caller';
import { createContext } from '@loyalty/platform/caller/create-context';
import { addMs, DAY_MS, systemClock } from '@loyalty/platform/clock';
import type { Services } from '@loyalty/platform/context';
import { isEmpty } from '@loyalty/workspace-subgraph/workspaces/workspaces.service';
import { seedCampaigns } from './seed-campaigns.ts';
import { demo } from './seed-data.ts';

type Say = (line: string) => void;

/** Adds the demo workspace, through the graph like any client, unless some workspace exists. */
export async function seedIfEmpty(services: Services, graph: Graph, say: Say): Promise<boolean> {
  const ctx = createContext(services, { caller: systemCaller('seed'), requestId: 'seed' });
  if (!(await isEmpty(ctx))) return false;
  const { email, password, name } = demo.account;
  const { register } = await run(graph, anonymous, REGISTER, {
    input: { email, password, name, workspaceName: demo.workspaceName },
  });
  const [{ workspace }] = (register as { memberships: [{ workspace: { id: string } }] }).memberships;
  const owner: Caller = { ...systemCaller('seed', { workspaceId: workspace.id, mode: 'LIVE' }) };
  const poolId = await seedProgramme(graph, owner);
  const { count, memberIds, storeId } = await seedMembers(graph, owner);
  const ask = (query: string, variables: Record<string, unknown>) => run(graph, owner, query, variables);
  await seedCampaigns(ask, { memberIds, storeId, poolId });
  say(`Seeded the demo workspace with ${count} members: sign in as ${email} with the password ${password}`);
  return true;
}

/** Returns the id of the pool of coupons. */
async function seedProgramme(graph: Graph, owner: Caller): Promise<string> {
  for (const input of demo.stores) await run(graph, owner, CREATE_STORE, { input });
  for (const input of demo.tiers) await run(graph, owner, CREATE_TIER, { input });
  for (const input of demo.customFields) await run(graph, owner, DEFINE_FIELD, { input });
  for (const key of demo.modules) await run(graph, owner, SET_MODULE, { key });
  for (const input of demo.earningRules) await run(graph, owner, CREATE_RULE, { input });
  const { createCouponPool } = await run(graph, owner, CREATE_POOL, { input: demo.couponPool });
  const { id: poolId } = createCouponPool as { id: string };
  await run(graph, owner, GENERATE, { poolId, count: demo.coupons });
  await run(graph, owner, DEFINE_TYPE, { input: demo.objectType });
  await run(graph, owner, PUBLISH_TYPE, { type: demo.objectType.type });
  return poolId;
}

/** Returns how many there are, the ids of those who consented to mail, and a store. */
async function seedMembers(graph: Graph, owner: Caller) {
  const { stores } = (await run(graph, owner, STORE_IDS, {})) as { stores: { nodes: { id: string }[] } };
  const memberIds: string[] = [];
  for (const [index, member] of demo.members.entries()) {
    const homeStoreId = stores.nodes[index % stores.nodes.length]!.id;
    const { points, isUnsubscribed, ...details } = member;
    const { createMember } = await run(graph, owner, CREATE_MEMBER, { input: { ...details, homeStoreId } });
    const memberId = (createMember as { id: string }).id;
    for (const amount of points) {
      await run(graph, owner, AWARD_POINTS, {
        memberId,
        input: { amount, description: 'Purchase in store' },
      });
    }
    for (let number = 1; number <= index % 4; number += 1)
      await run(graph, owner, CREATE_ORDER, { input: demoOrder(index, number, memberId, homeStoreId) });
    if (isUnsubscribed) await run(graph, owner, UNSUBSCRIBE, { email: details.email });
    else {
      await run(graph, owner, CONSENT, { memberId });
      memberIds.push(memberId);
    }
  }
  return { count: demo.members.length, memberIds, storeId: stores.nodes[0]!.id };
}

/** An order of a coffee house: some days ago, paid in euros. */
const demoOrder = (index: number, number: number, memberId: string, storeId: string) => ({
  externalOrderId: `demo-${index + 1}-${number}`,
  memberId,
  storeId,
  currency: 'EUR',
  total: 450 + 130 * index + 90 * number,
  occurredAt: addMs(systemClock.now(), -(number * 9 + (index % 7)) * DAY_MS),
  items: [{ name: 'Flat white', quantity: number, unitPrice: 450 }],
});

async function run(
  graph: Graph,
  caller: Caller,
  query: string,
  variables: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { data, errors } = await graph.execute({ query, variables }, { caller, requestId: 'seed' });
  if (errors?.[0] || !data) throw new Error(`The demo could not be seeded: ${errors?.[0]?.message}`);
  return data;
}

const REGISTER = `mutation Register($input: RegisterInput!) {
  register(input: $input) { memberships { workspace { id } } }
}`;
const CREATE_STORE = 'mutation CreateStore($input: CreateStoreInput!) { createStore(input: $input) { id } }';
const CREATE_TIER = 'mutation CreateTier($input: CreateTierInput!) { createTier(input: $input) { id } }';
const DEFINE_FIELD =
  'mutation DefineField($input: DefineCustomFieldInput!) { defineCustomField(input: $input) { id } }';
const SET_MODULE = 'mutation SetModule($key: String!) { setModule(key: $key, enabled: true) { key } }';
const CREATE_RULE =
  'mutation CreateRule($input: EarningRuleInput!) { createEarningRule(input: $input) { id } }';
const CREATE_POOL =
  'mutation CreatePool($input: CreateCouponPoolInput!) { createCouponPool(input: $input) { id } }';
const GENERATE =
  'mutation Generate($poolId: ID!, $count: Int!) { generateCoupons(poolId: $poolId, count: $count) { id } }';
const DEFINE_TYPE =
  'mutation DefineType($input: DefineObjectTypeInput!) { defineObjectType(input: $input) { type } }';
const PUBLISH_TYPE = 'mutation PublishType($type: String!) { publishObjectType(type: $type) { type } }';
const CREATE_ORDER = 'mutation CreateOrder($input: OrderInput!) { createOrder(input: $input) { id } }';
const STORE_IDS = 'query StoreIds { stores { nodes { id } } }';
const CREATE_MEMBER =
  'mutation CreateMember($input: CreateMemberInput!) { createMember(input: $input) { id } }';
const AWARD_POINTS = `mutation AwardPoints($memberId: ID!, $input: AwardPointsInput!) {
  awardPoints(memberId: $memberId, input: $input) { id }
}`;
const CONSENT = `mutation Consent($memberId: ID!) {
  setMemberConsent(memberId: $memberId, purpose: EMAIL_MARKETING, granted: true, source: "demo") { id }
}`;
const UNSUBSCRIBE = 'mutation Unsubscribe($email: String!) { unsubscribe(email: $email) { isUnsubscribed } }';
