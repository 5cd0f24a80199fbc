import { createGraph, type Graph } from '@loyalty/gateway/graph';
import type { Supergraph } from '@loyalty/gateway/supergraph/supergraph';
import { anonymous, type Caller, systemCaller } from '@loyalty/platform/base/caller';
import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import type { Context, Services } from '@loyalty/platform/context';
import { createContext } from '@loyalty/platform/database/create-context';
import { unattendedServices } from '@loyalty/platform/services';
import { isPasswordOf } from '@loyalty/workspace-subgraph/sessions/sessions.service';
import { isInstallationEmpty } from '@loyalty/workspace-subgraph/workspaces/workspaces.service';
import type { ConnectedConfig } from '../environment.ts';
import { localTransports } from '../subgraphs.ts';
import { type Ask, DemoError, untilDone } from './ask.ts';
import { isWorkPending, markComplete, markIncomplete } from './demo.store.ts';
import type { MovableClock } from './movable-clock.ts';
import { seedCampaigns } from './seed-campaigns.ts';
import { demo } from './seed-data.ts';
import { seedHistory } from './seed-history.ts';

type Say = (line: string) => void;
/** The worker of this process must use the same clock. */
type SeedServices = Services & { readonly clock: MovableClock; readonly config: ConnectedConfig };

export interface SeedOptions {
  readonly supergraph: Supergraph;
  readonly say: Say;
  /** Stops the seeding before it is complete. The next start begins again. */
  readonly signal: AbortSignal;
}

/** The workspace is created this many days ago, one day before its history begins. */
const SET_UP_DAYS = 181;
/** How often to check whether the worker has done everything that follows from the written data. */
const POLL_MS = 20;

/**
 * Adds the demo workspace if no workspace exists. It uses the graph like any client, but without the
 * deadlines of requests.
 *
 * @returns whether the workspace was added
 * @throws DemoError if a step fails
 */
export async function seedIfEmpty(given: SeedServices, options: SeedOptions): Promise<boolean> {
  try {
    return await unattended(given, async (ctx) => {
      if (!(await isInstallationEmpty(ctx))) return false;
      await markIncomplete(ctx);
      const transports = localTransports(ctx.services);
      const graph = createGraph({ supergraph: options.supergraph, transports, log: ctx.log });
      const count = await seed(ctx, { ...options, clock: given.clock, graph });
      await markComplete(ctx);
      options.say(`Seeded the demo workspace with ${count} members.`);
      return true;
    });
  } finally {
    given.clock.release();
  }
}

/** Runs work that no client waits for, without the deadlines of requests. */
export async function unattended<T>(
  given: Services & { readonly config: ConnectedConfig },
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  const { services, close } = unattendedServices(given);
  try {
    return await work(createContext(services, { caller: systemCaller('seed'), requestId: 'seed' }));
  } finally {
    await close();
  }
}

interface Seeding extends Omit<SeedOptions, 'supergraph'> {
  readonly clock: MovableClock;
  readonly graph: Graph;
}

/** @returns the number of members */
async function seed(ctx: Context, { clock, graph, say, signal }: Seeding): Promise<number> {
  const report = reportTo(say);
  say('Seeding the demo workspace; on a slow machine this takes minutes …');
  clock.set(addMs(clock.now(), -SET_UP_DAYS * DAY_MS));
  const owner = await register(graph);
  const running = new Set<Promise<unknown>>();
  const ask: Ask = (query, variables) => {
    throwIfAborted(signal);
    const answer = run(graph, owner, query, variables).finally(() => running.delete(answer));
    running.add(answer);
    return answer;
  };
  const waitForWorker = () =>
    untilDone('The worker is not done', POLL_MS, async () => {
      throwIfAborted(signal);
      return !(await isWorkPending(ctx));
    });
  try {
    const { poolId, storeIds } = await seedProgramme(ask);
    clock.release();
    const { readerIds, count } = await seedHistory({ clock, ask, storeIds, poolId, waitForWorker, report });
    clock.release();
    report(1);
    await seedCampaigns(ask, { memberIds: readerIds, storeId: storeIds[0]!, poolId });
    return count;
  } finally {
    // If one operation fails, others still run. They must end before the caller closes what they use.
    await Promise.allSettled(running);
  }
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new DemoError('it was interrupted.');
}

/** Returns a function that prints the progress at every fifth of the history. */
function reportTo(say: Say): (share: number) => void {
  let next = 0;
  return (share) => {
    if (share < next) return;
    next = Math.floor(share * 5 + 1) / 5;
    say(`  ${Math.floor(share * 100)}% of half a year …`);
  };
}

/** Returns how to sign in to the demo workspace; null if there is none. */
export async function demoSignIn(given: SeedServices): Promise<string | null> {
  const { email, password } = demo.account;
  const isUnchanged = await unattended(given, (ctx) => isPasswordOf(ctx, email, password));
  if (isUnchanged === null) return null;
  const shown = isUnchanged ? password : 'that you gave it';
  return `Demo workspace: sign in as ${email} with the password ${shown}`;
}

interface Registered {
  readonly id: string;
  readonly memberships: readonly [{ readonly workspace: { readonly id: string } }];
}

/**
 * Registers the owner of the demo. Everything is done in the name of the owner, but without the limits of a
 * user.
 */
async function register(graph: Graph): Promise<Caller> {
  const { email, password, name } = demo.account;
  const { register: account } = await run(graph, anonymous, REGISTER, {
    input: { email, password, name, workspaceName: demo.workspaceName },
  });
  const { id, memberships } = account as Registered;
  const scope = { workspaceId: memberships[0].workspace.id, mode: 'LIVE' } as const;
  return { ...systemCaller('seed', scope), actor: `user:${id}`, accountId: id };
}

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
  if (errors?.[0] || !data) throw new DemoError(errors?.[0]?.message ?? 'there was no answer.');
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
