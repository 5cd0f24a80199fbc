import type { Graph } from '@loyalty/gateway/graph';
import { anonymous, type Caller, systemCaller } from '@loyalty/platform/caller/caller';
import { createContext } from '@loyalty/platform/caller/create-context';
import { addMs, DAY_MS } from '@loyalty/platform/clock';
import type { Services } from '@loyalty/platform/context';
import { isEmpty } from '@loyalty/workspace-subgraph/workspaces/workspaces.service';
import type { Ask } from './ask.ts';
import type { MovableClock } from './movable-clock.ts';
import { isWorkPending } from './pending-work.store.ts';
import { seedCampaigns } from './seed-campaigns.ts';
import { demo } from './seed-data.ts';
import { seedHistory, untilDone } from './seed-history.ts';

type Say = (line: string) => void;
/** The worker of the same process must have the same clock. */
type MovableServices = Services & { readonly clock: MovableClock };

/** Days before its history on which the workspace is made. */
const SET_UP_DAYS = 181;

/** Adds the demo workspace, through the graph like any client, unless some workspace exists. */
export async function seedIfEmpty(services: MovableServices, graph: Graph, say: Say): Promise<boolean> {
  const ctx = createContext(services, { caller: systemCaller('seed'), requestId: 'seed' });
  if (!(await isEmpty(ctx))) return false;
  const { clock } = services;
  try {
    clock.set(addMs(clock.now(), -SET_UP_DAYS * DAY_MS));
    const ask = asOwner(graph, await register(graph));
    const { poolId, storeIds } = await seedProgramme(ask);
    clock.release();
    const catchUp = () => untilDone(() => isWorkPending(ctx));
    const { readerIds, count } = await seedHistory({ clock, ask, storeIds, poolId, catchUp });
    clock.release();
    await seedCampaigns(ask, { memberIds: readerIds, storeId: storeIds[0]!, poolId });
    const { email, password } = demo.account;
    say(`Seeded the demo workspace with ${count} members: sign in as ${email} with the password ${password}`);
    return true;
  } finally {
    clock.release();
  }
}

interface Registered {
  readonly id: string;
  readonly memberships: readonly [{ readonly workspace: { readonly id: string } }];
}

/** The demo's owner, in whose name everything is done, without the limits of a person. */
async function register(graph: Graph): Promise<Caller> {
  const { email, password, name } = demo.account;
  const { register: account } = await run(graph, anonymous, REGISTER, {
    input: { email, password, name, workspaceName: demo.workspaceName },
  });
  const { id, memberships } = account as Registered;
  const scope = { workspaceId: memberships[0].workspace.id, mode: 'LIVE' } as const;
  return { ...systemCaller('seed', scope), actor: `user:${id}`, accountId: id };
}

const asOwner =
  (graph: Graph, owner: Caller): Ask =>
  (query, variables) =>
    run(graph, owner, query, variables);

async function seedProgramme(ask: Ask): Promise<{ poolId: string; storeIds: string[] }> {
  await ask(UPDATE_WORKSPACE, { input: demo.workspace });
  for (const input of demo.stores) await ask(CREATE_STORE, { input });
  for (const input of demo.tiers) await ask(CREATE_TIER, { input });
  await ask(UPDATE_PROGRAM, { input: demo.program });
  for (const input of demo.customFields) await ask(DEFINE_FIELD, { input });
  for (const key of demo.modules) await ask(SET_MODULE, { key });
  for (const input of demo.earningRules) await ask(CREATE_RULE, { input });
  const { createCouponPool } = await ask(CREATE_POOL, { input: demo.couponPool });
  const { id: poolId } = createCouponPool as { id: string };
  await ask(GENERATE, { poolId, count: demo.coupons });
  await ask(DEFINE_TYPE, { input: demo.objectType });
  await ask(PUBLISH_TYPE, { type: demo.objectType.type });
  const { stores } = (await ask(STORE_IDS, {})) as { stores: { nodes: { id: string }[] } };
  return { poolId, storeIds: stores.nodes.map(({ id }) => id) };
}

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
  register(input: $input) { id memberships { workspace { id } } }
}`;
const UPDATE_WORKSPACE =
  'mutation UpdateWorkspace($input: UpdateWorkspaceInput!) { updateWorkspace(input: $input) { id } }';
const CREATE_STORE = 'mutation CreateStore($input: CreateStoreInput!) { createStore(input: $input) { id } }';
const CREATE_TIER = 'mutation CreateTier($input: CreateTierInput!) { createTier(input: $input) { id } }';
const UPDATE_PROGRAM =
  'mutation UpdateProgram($input: UpdateProgramInput!) { updateProgram(input: $input) { tierBasis } }';
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
const STORE_IDS = 'query StoreIds { stores { nodes { id } } }';
