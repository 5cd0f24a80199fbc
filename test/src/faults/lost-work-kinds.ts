import { randomUUID } from 'node:crypto';
import { newState, sealState } from '@loyalty/engagement-subgraph/agent-runs/agent-run';
import { runAgentsLoop } from '@loyalty/engagement-subgraph/agent-runs/agent-runs.jobs';
import { insertRun } from '@loyalty/engagement-subgraph/agent-runs/agent-runs.store';
import { claimRun } from '@loyalty/engagement-subgraph/agent-runs/changing-runs.store';
import { claimCampaign } from '@loyalty/engagement-subgraph/campaigns/campaign-claims.store';
import { givenCampaign, givenSegmentOf } from '@loyalty/engagement-subgraph/campaigns/campaigns.fixture';
import { sendCampaignsLoop } from '@loyalty/engagement-subgraph/campaigns/campaigns.jobs';
import { launchCampaign } from '@loyalty/engagement-subgraph/campaigns/launching.service';
import { moveRunsLoop } from '@loyalty/engagement-subgraph/journey-runs/journey-runs.jobs';
import { enter, givenJourney, graphOfNodes } from '@loyalty/engagement-subgraph/journey-runs/runs.fixture';
import { claimRuns } from '@loyalty/engagement-subgraph/journey-runs/runs.store';
import { givenMessages, givenRecipients } from '@loyalty/engagement-subgraph/sending/sending.fixture';
import { sendMessagesLoop } from '@loyalty/engagement-subgraph/sending/sending.jobs';
import { claimMessages } from '@loyalty/engagement-subgraph/sending/sending.store';
import { engagement } from '@loyalty/engagement-subgraph/subgraph';
import { keepEvents } from '@loyalty/engagement-subgraph/webhooks/fan-out.service';
import { claimEvents } from '@loyalty/engagement-subgraph/webhooks/fan-out.store';
import { claimDeliveries } from '@loyalty/engagement-subgraph/webhooks/sending.store';
import { eventOf, fanOut, givenReceiver } from '@loyalty/engagement-subgraph/webhooks/webhooks.fixture';
import { makeDeliveriesLoop, sendDeliveriesLoop } from '@loyalty/engagement-subgraph/webhooks/webhooks.jobs';
import { givenJob, givenMembers } from '@loyalty/model-subgraph/bulk-jobs/bulk-jobs.fixture';
import { processChunksLoop, scanBulkJobsLoop } from '@loyalty/model-subgraph/bulk-jobs/bulk-jobs.jobs';
import { claimChunk, claimScan } from '@loyalty/model-subgraph/bulk-jobs/claims.store';
import { trainVersionsLoop } from '@loyalty/model-subgraph/training/attempts.jobs';
import { claim as claimAttempt } from '@loyalty/model-subgraph/training/run-attempt.service';
import { givenVersion } from '@loyalty/model-subgraph/training/versions.fixture';
import { startVersion } from '@loyalty/model-subgraph/versions/versions.service';
import { addMs, HOUR_MS, MINUTE_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import type { Loop } from '@loyalty/platform/work/loops';
import { agentInput, CREATE } from '../agents/agents.fixture.ts';
import { ask } from '../harness/ask.ts';
import { contextOf } from '../harness/services.ts';

/** A kind of work that workers claim with a lease. */
export interface LostWork {
  /** The file of the statement that claims it. */
  readonly file: string;
  readonly loop: Loop;
  /** Makes the given number of pieces of work. */
  readonly given: (ctx: Context, count: number) => Promise<unknown>;
  /** Claims work of all workspaces, and returns the number of pieces. */
  readonly claim: (ctx: Context) => Promise<number>;
  /** The table of its rows; it has a column `workspace_id`. */
  readonly table: string;
  /** The assignment that ends its leases. */
  readonly endedLease: string;
  /** A condition that is true for a row that was given up. */
  readonly givenUpIf: string;
}

const past = `now() - interval '1 hour'`;
const leaseEnd = (ctx: Context): Date => addMs(ctx.clock.now(), MINUTE_MS);
const size = (found: unknown): number => (found ? 1 : 0);
const room = { total: 1_000, perQueue: 200, busy: [] };
const fresh = (ctx: Context): Context => contextOf(ctx.services, ctx.caller);

async function givenEvents(ctx: Context, count: number): Promise<void> {
  await givenReceiver(ctx, 'http://127.0.0.1:9/', ['member.created']);
  const events = Array.from({ length: count }, () =>
    eventOf(ctx, 'member.created', { memberId: randomUUID() }),
  );
  await fresh(ctx).transaction((tx) => keepEvents(tx, events));
}

async function givenDeliveries(ctx: Context, count: number): Promise<void> {
  await givenReceiver(ctx, 'http://127.0.0.1:9/', ['member.created']);
  const event = () => eventOf(ctx, 'member.created', { memberId: randomUUID() });
  await fanOut(ctx.services, ...Array.from({ length: count }, event));
}

async function givenRuns(ctx: Context, count: number): Promise<void> {
  const entry = { entry: { event: { type: 'member.inactive' } } };
  const id = await givenJourney(fresh(ctx), graphOfNodes([{ id: 'end', type: 'exit' }], entry));
  await enter(fresh(ctx), id, await givenRecipients(ctx, count));
}

async function givenCampaigns(ctx: Context): Promise<void> {
  const segmentId = await givenSegmentOf(ctx, await givenRecipients(ctx, 1));
  await launchCampaign(fresh(ctx), await givenCampaign(ctx, { segmentId }));
}

async function givenChunk(ctx: Context): Promise<void> {
  await givenMembers(ctx, 3);
  await givenJob(ctx);
  await scanBulkJobsLoop.turn(contextOf(ctx.services));
}

async function givenScan(ctx: Context): Promise<void> {
  await givenMembers(ctx, 3);
  await givenJob(ctx);
}

async function givenAgentRun(ctx: Context): Promise<void> {
  const { data } = await ask(engagement, fresh(ctx), CREATE, { input: agentInput() });
  const { id: definitionId, version } = data.createAgent;
  const deadlineAt = addMs(ctx.clock.now(), HOUR_MS);
  const run = {
    id: newId(ctx.clock),
    definitionId,
    version: version.number,
    skill: null,
    about: [],
    deadlineAt,
  };
  await fresh(ctx).transaction(async (tx) =>
    insertRun(tx, { ...run, state: await sealState(tx, newState('Help.')) }),
  );
}

const ENGAGEMENT = 'subgraphs/engagement/src';
const MODEL = 'subgraphs/model/src';

/** Every kind of such work, by its name. */
export const kinds: Readonly<Record<string, LostWork>> = {
  message: {
    file: `${ENGAGEMENT}/sending/sending.store.ts`,
    loop: sendMessagesLoop,
    given: async (ctx, count) => givenMessages(ctx, { memberIds: await givenRecipients(ctx, count) }),
    claim: async (ctx) => (await claimMessages(ctx, room)).length,
    table: 'engagement.messages',
    endedLease: `due_at = ${past}`,
    givenUpIf: `status = 'FAILED' AND reason = 'WORKER_LOST' AND due_at IS NULL`,
  },
  'delivery of a webhook': {
    file: `${ENGAGEMENT}/webhooks/sending.store.ts`,
    loop: sendDeliveriesLoop,
    given: givenDeliveries,
    claim: async (ctx) => {
      const until = leaseEnd(ctx);
      return (await claimDeliveries(ctx, { size: 100, perEndpoint: 16, capacities: [], after: null, until }))
        .length;
    },
    table: 'engagement.webhook_deliveries',
    endedLease: `leased_until = ${past}`,
    givenUpIf: `status = 'FAILED' AND error LIKE 'WORKER_LOST: %' AND due_at IS NULL`,
  },
  'event for webhooks': {
    file: `${ENGAGEMENT}/webhooks/fan-out.store.ts`,
    loop: makeDeliveriesLoop,
    given: givenEvents,
    claim: async (ctx) => (await claimEvents(ctx, 100, leaseEnd(ctx))).length,
    table: 'engagement.webhook_events',
    endedLease: `leased_until = ${past}`,
    givenUpIf: 'due_at IS NULL AND sequence IS NULL',
  },
  'run of a journey': {
    file: `${ENGAGEMENT}/journey-runs/runs.store.ts`,
    loop: moveRunsLoop,
    given: givenRuns,
    claim: async (ctx) => (await claimRuns(ctx, 100)).length,
    table: 'engagement.journey_runs',
    endedLease: `leased_until = ${past}`,
    givenUpIf: `status = 'FAILED' AND reason = 'WORKER_LOST' AND due_at IS NULL`,
  },
  'step of a campaign': {
    file: `${ENGAGEMENT}/campaigns/campaign-claims.store.ts`,
    loop: sendCampaignsLoop,
    given: givenCampaigns,
    claim: async (ctx) => size(await claimCampaign(ctx)),
    table: 'engagement.campaigns',
    endedLease: `due_at = ${past}`,
    givenUpIf: `status = 'PAUSED' AND failure LIKE 'WORKER_LOST: %' AND due_at IS NULL`,
  },
  'run of an agent': {
    file: `${ENGAGEMENT}/agent-runs/changing-runs.store.ts`,
    loop: runAgentsLoop,
    given: givenAgentRun,
    claim: async (ctx) => size(await claimRun(ctx, leaseEnd(ctx))),
    table: 'engagement.agent_runs',
    endedLease: `due_at = ${past}`,
    givenUpIf: `status = 'FAILED' AND outcome LIKE '%workers were lost%' AND due_at IS NULL`,
  },
  'chunk of a bulk job': {
    file: `${MODEL}/bulk-jobs/claims.store.ts`,
    loop: processChunksLoop,
    given: givenChunk,
    claim: async (ctx) => size((await claimChunk(ctx, 100)).chunk),
    table: 'model.bulk_chunks',
    endedLease: `due_at = ${past}`,
    givenUpIf: `NOT is_open AND failed = 3 AND 3 = (SELECT count(*) FROM model.bulk_results AS b
      WHERE b.job_id = w.job_id AND b.status = 'FAILED' AND b.error_code = 'WORKER_LOST')`,
  },
  'scan of a bulk job': {
    file: `${MODEL}/bulk-jobs/claims.store.ts`,
    loop: scanBulkJobsLoop,
    given: givenScan,
    claim: async (ctx) => size(await claimScan(ctx)),
    table: 'model.bulk_jobs',
    endedLease: `scan_due_at = ${past}`,
    givenUpIf: `status = 'PAUSED' AND pause_reason = 'MODEL_SERVICE_UNAVAILABLE'`,
  },
  'attempt of a training': {
    file: `${MODEL}/training/attempts.store.ts`,
    loop: trainVersionsLoop,
    given: async (ctx) => startVersion(ctx, await givenVersion(ctx)),
    claim: async (ctx) => size(await claimAttempt(ctx)),
    table: 'model.model_versions',
    endedLease: `due_at = ${past}`,
    givenUpIf: `status = 'FAILED' AND failure_code = 'WORKER_LOST' AND due_at IS NULL`,
  },
};

const HELD =
  'held by a transaction alone, which ends with the worker; the work is statements of the database';
const ONE = 'one statement: no process does anything with what it takes';

/** Files with other claims, and why those need no count of lost workers. */
export const exempt: Readonly<Record<string, string>> = {
  [`${ENGAGEMENT}/automations/due-members.store.ts`]: HELD,
  [`${MODEL}/facts/statistics.store.ts`]: ONE,
  [`${MODEL}/schedules/schedules.store.ts`]: HELD,
  [`${MODEL}/alignment/proposals.store.ts`]: HELD,
  [`${MODEL}/credits/reservations.store.ts`]: ONE,
  [`${MODEL}/credits/subscriptions.store.ts`]: HELD,
  'subgraphs/loyalty/src/objects/object-records.store.ts': ONE,
  'subgraphs/loyalty/src/journey-steps/journey-steps.store.ts': HELD,
  'subgraphs/loyalty/src/member-status/member-status.store.ts': ONE,
  'subgraphs/loyalty/src/member-status/erasure.store.ts': HELD,
  'subgraphs/loyalty/src/coupons/coupon-reservations.store.ts': ONE,
  'subgraphs/loyalty/src/coupons/coupons.store.ts': ONE,
  'worker/src/relay.ts': HELD,
  'worker/src/scheduler.ts': HELD,
};

/** Names of other loops, with the reason. */
export const exemptLoops: Readonly<Record<string, string>> = {
  'engagement.attribute-orders': HELD,
  'engagement.enter-due-members': HELD,
  'engagement.refresh-profiles': HELD,
  'engagement.take-trigger-events': HELD,
  'engagement.update-due-memberships': HELD,
  'model.propose-alignments': HELD,
  'model.run-schedules': HELD,
};
