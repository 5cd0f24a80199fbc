import { givenJourney, graphOfNodes } from '@loyalty/engagement-subgraph/journey-runs/runs.fixture';
import { moveDueRuns } from '@loyalty/engagement-subgraph/journey-runs/ticks.service';
import type { JourneyNode } from '@loyalty/engagement-subgraph/journeys/journey-definition';
import { givenTemplate } from '@loyalty/engagement-subgraph/messages/messages.fixture';
import { systemCaller } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { createContext } from '@loyalty/platform/database/create-context';
import { type BenchProduct, startProduct } from './product.ts';

/**
 * Moves members through journeys with one worker, and prints steps per second: without an action, with
 * messages and with webhooks; then the same while a million other members wait and are not due.
 */
const BAR = 5_000;
const MEMBERS = 20_000;
const ROUNDS = 3;
const WAITING = 1_000_000;
/**
 * The least rate with a million waiting members, as a share of the rate without them: their rows are in the
 * same indexes.
 */
const RATIO_MIN = 0.6;
/** The most that the heap may grow, after garbage collection, in MiB. */
const GROWTH_MIB_MAX = 20;

const product = await startProduct();
try {
  await measure(product);
} finally {
  await product.close();
}

type Graph = 'flow' | 'webhooks' | 'messages';

async function measure({ services, owner }: BenchProduct): Promise<void> {
  const newContext = () => createContext(services, { caller: owner, requestId: 'bench' });
  await givenMembers(newContext());
  const templateId = await givenTemplate(newContext());
  const journeys: Record<Graph, string> = {
    flow: await givenJourney(newContext(), graphOf([])),
    webhooks: await givenJourney(
      newContext(),
      graphOf([{ id: 'act', type: 'webhook', name: 'b', next: 'wait' }]),
    ),
    messages: await givenJourney(
      newContext(),
      graphOf([{ id: 'act', type: 'email', templateId, next: 'wait' }]),
    ),
  };
  const worker = () => createContext(services, { caller: systemCaller('bench'), requestId: 'bench' });
  const warmUp = () => rateOf(worker, newContext(), journeys.flow);
  await warmUp();
  const heapBefore = heapMiB();
  const alone = await rates(worker, newContext(), journeys);
  const growth = heapMiB() - heapBefore;
  const idleAlone = await idleMs(worker);
  await givenWaiting(newContext(), journeys.flow);
  await warmUp();
  const beside = await rates(worker, newContext(), journeys);
  const idleBeside = await idleMs(worker);
  for (const graph of Object.keys(journeys) as Graph[])
    console.log(
      `${graph}: ${alone[graph].toFixed(0)} steps/s, beside ${WAITING} who wait ${beside[graph].toFixed(0)}`,
      `(${(beside[graph] / alone[graph]).toFixed(2)})`,
    );
  console.log(
    `a claim that finds nothing: ${idleAlone.toFixed(2)} ms, beside them ${idleBeside.toFixed(2)} ms`,
  );
  console.log(`what is kept in memory grew by ${growth.toFixed(0)} MiB`);
  if (alone.flow < BAR) throw new Error(`There must be at least ${BAR} steps/s.`);
  if (beside.flow / alone.flow < RATIO_MIN) throw new Error('Members who wait must cost nothing.');
  if (growth > GROWTH_MIB_MAX) throw new Error('Memory must stay flat.');
}

function heapMiB(): number {
  globalThis.gc!();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

function graphOf(actions: readonly JourneyNode[]) {
  return graphOfNodes([
    {
      id: 'rich',
      type: 'condition',
      condition: { field: 'points_balance', operator: 'at_least', value: 50 },
      next: 'split',
      otherwise: 'split',
    },
    {
      id: 'split',
      type: 'split',
      branches: [
        { key: 'a', weight: 1, next: actions[0]?.id ?? 'wait' },
        { key: 'b', weight: 1, next: actions[0]?.id ?? 'wait' },
      ],
    },
    ...actions,
    { id: 'wait', type: 'delay', days: 30, next: 'rich' },
  ]);
}

async function givenMembers(ctx: Context): Promise<void> {
  const { workspaceId } = ctx.scope;
  await ctx.sql.query(
    `INSERT INTO engagement.profiles (workspace_id, mode, member_id, status, enrollment_source, is_restricted,
            has_email, time_zone, created_at, last_activity_at, custom_attributes, tags, consents,
            points_balance, points_earned, order_count, order_revenue_minor, visit_count,
            open_coupons, refreshed_at)
     SELECT $1, 'LIVE', gen_random_uuid(), 'ACTIVE', 'API', false, true, 'UTC', now(), now(), '{}', '{}', '{}',
            n % 100, 0, 0, 0, 0, 0, now()
       FROM generate_series(1, $2::int) AS n`,
    [workspaceId, MEMBERS],
  );
}

/**
 * Begins a run for each member, moves the runs until none is due, and deletes them. Returns steps per second.
 */
async function rateOf(worker: () => Context, ctx: Context, journeyId: string): Promise<number> {
  const { workspaceId } = ctx.scope;
  await ctx.sql.query(
    `INSERT INTO engagement.journey_runs (workspace_id, mode, id, journey_id, version, member_id, entry_key,
            trigger, node_id, arrived_at, due_at, entered_at)
     SELECT workspace_id, mode, gen_random_uuid(), $2, 1, member_id, 'bench', '{}', '', now(), now(), now()
       FROM engagement.profiles WHERE workspace_id = $1`,
    [workspaceId, journeyId],
  );
  await ctx.sql.query('ANALYZE engagement.journey_runs');
  const begunAt = performance.now();
  while ((await moveDueRuns(worker())) > 0);
  const seconds = (performance.now() - begunAt) / 1_000;
  const [moved] = await ctx.sql.query<{ steps: number }>(
    `WITH gone AS (DELETE FROM engagement.journey_runs WHERE workspace_id = $1 AND journey_id = $2
                    AND entry_key = 'bench' RETURNING step)
     SELECT sum(step)::int AS steps FROM gone`,
    [workspaceId, journeyId],
  );
  await ctx.sql.query('VACUUM engagement.journey_runs');
  return moved!.steps / seconds;
}

/** Steps per second of each journey: the median of several rounds, in which the journeys alternate. */
async function rates(
  worker: () => Context,
  ctx: Context,
  journeys: Record<Graph, string>,
): Promise<Record<Graph, number>> {
  const found: Record<Graph, number[]> = { flow: [], webhooks: [], messages: [] };
  for (let round = 0; round < ROUNDS; round += 1)
    for (const graph of Object.keys(journeys) as Graph[])
      found[graph].push(await rateOf(worker, ctx, journeys[graph]));
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
  return { flow: median(found.flow), webhooks: median(found.webhooks), messages: median(found.messages) };
}

async function idleMs(worker: () => Context): Promise<number> {
  const begunAt = performance.now();
  for (let look = 0; look < 100; look += 1) await moveDueRuns(worker());
  return (performance.now() - begunAt) / 100;
}

/** Adds a million members whose next step is due in a month. */
async function givenWaiting(ctx: Context, journeyId: string): Promise<void> {
  for (let part = 0; part < 20; part += 1)
    await ctx.transaction(async (tx) => {
      await tx.sql.query(`SELECT set_config('statement_timeout', '120s', true)`);
      await tx.sql.query(
        `INSERT INTO engagement.journey_runs (workspace_id, mode, id, journey_id, version, member_id,
                entry_key, trigger, node_id, arrived_at, due_at, entered_at)
         SELECT $1, 'LIVE', gen_random_uuid(), $2, 1, gen_random_uuid(), 'wait', '{}', 'wait', now(),
                now() + interval '30 days', now()
           FROM generate_series(1, $3::int)`,
        [ctx.scope.workspaceId, journeyId, WAITING / 20],
      );
    });
  await ctx.transaction(async (tx) => {
    await tx.sql.query(`SELECT set_config('statement_timeout', '120s', true)`);
    await tx.sql.query('ANALYZE engagement.journey_runs');
  });
}
