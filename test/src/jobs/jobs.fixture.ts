import { failBulkAward } from '@loyalty/loyalty-subgraph/bulk-awards/bulk-awards.service';
import { runBulkAward } from '@loyalty/loyalty-subgraph/bulk-awards/run-bulk-award.service';
import { failBatch, fillBatch } from '@loyalty/loyalty-subgraph/coupons/coupon-batches.service';
import { failExport, gatherMemberExport } from '@loyalty/loyalty-subgraph/exports/member-exports.service';
import {
  failRecalculation,
  runTierRecalculation,
} from '@loyalty/loyalty-subgraph/tiers/tier-recalculations.service';
import { systemCaller } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { createContext } from '@loyalty/platform/database/create-context';
import { giveUpImport } from '@loyalty/platform/imports/imports.service';
import { advance, beginRun, endRun, findImport } from '@loyalty/platform/imports/imports.store';
import { publishEnd, publishProgress } from '@loyalty/platform/subscriptions/publish-progress';
import { purgeParts } from '@loyalty/platform/work/test-data';
import { notePurged, notePurgeFailed } from '@loyalty/workspace-subgraph/test-data/test-data.service';
import type { Stack } from '../harness/stack.ts';

/** A workspace with three members, and its owner. */
export interface Team {
  readonly token: string;
  readonly workspaceId: string;
  readonly memberIds: readonly string[];
  /** Runs a mutation of the form `{ made: … { id } }` and returns the id. */
  make(mutation: string, variables?: object): Promise<string>;
  /** The context of a worker. */
  readonly worker: Context;
}

/** A kind of long job. The owner starts it, one step moves it forward, and then it runs to its end. */
export interface Kind {
  /** The name of its subscription. */
  readonly field: string;
  start(team: Team): Promise<string>;
  /** Moves the job one step forward; null if this kind of job has only one step. */
  readonly step: ((team: Team, id: string) => Promise<void>) | null;
  finish(team: Team, id: string): Promise<void>;
  /** Runs the code for a job whose last attempt has failed. */
  giveUp(worker: Context, id: string, failure: string): Promise<void>;
  /** `[state, processed, total, failed]` after the start, after the step and at the end. */
  readonly states: readonly (readonly unknown[])[];
}

export async function teamOf(stack: Stack): Promise<Team> {
  const { token, workspaceId } = await stack.signUp('Olga Owner');
  const make = async (mutation: string, variables = {}): Promise<string> => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const reply = await stack.graph<{ made: { id: string } }>(mutation, variables, token, headers);
    if (reply.errors) throw new Error(reply.errors[0]!.message);
    return reply.data.made.id;
  };
  const memberIds: string[] = [];
  for (const name of ['ann', 'bob', 'cay']) {
    const mutation = 'mutation ($input: CreateMemberInput!) { made: createMember(input: $input) { id } }';
    memberIds.push(await make(mutation, { input: { email: `${name}@example.com`, fullName: name } }));
  }
  const caller = systemCaller('worker', { workspaceId, mode: 'LIVE' });
  const worker = createContext(stack.services, { caller, requestId: 'test' });
  return { token, workspaceId, memberIds, make, worker };
}

const KILLED = 'killed';

/** Runs a job like a worker that is killed after its first transaction. */
async function oneStep(worker: Context, run: (ctx: Context) => Promise<void>): Promise<void> {
  let begun = 0;
  const dying: Context = {
    ...worker,
    scope: worker.scope,
    async transaction(work) {
      begun += 1;
      if (begun > 1) throw new Error(KILLED);
      return worker.transaction(work);
    },
  };
  await run(dying).catch((error: Error) => {
    if (error.message !== KILLED) throw error;
  });
}

const ROWS = { updated: 0, skipped: 0, position: 3, issues: 0 };

export const kinds: readonly Kind[] = [
  {
    field: 'bulkAwardProgress',
    start: ({ make, memberIds }) =>
      make(
        'mutation ($ids: [ID!]) { made: startBulkAward(input: { amount: 5, description: "thanks", memberIds: $ids }) { id } }',
        { ids: memberIds },
      ),
    step: ({ worker }, id) => oneStep(worker, (ctx) => runBulkAward(ctx, id, 1)),
    finish: ({ worker }, id) => runBulkAward(worker, id, 1),
    giveUp: failBulkAward,
    states: [
      ['QUEUED', 0, 3, 0],
      ['RUNNING', 1, 3, 0],
      ['COMPLETED', 3, 3, 0],
    ],
  },
  {
    field: 'couponBatchProgress',
    async start({ make, worker }) {
      const poolId = await make(
        'mutation { made: createCouponPool(input: { name: "Thanks", couponType: FIXED, discountDisplay: "5 EUR" }) { id } }',
      );
      await make('mutation ($id: ID!) { made: generateCoupons(poolId: $id, count: 7000) { id } }', {
        id: poolId,
      });
      const [batch] = await worker.sql.query<{ id: string }>(
        'SELECT id FROM loyalty.coupon_batches WHERE workspace_id = $1',
        [worker.scope.workspaceId],
      );
      return batch!.id;
    },
    step: ({ worker }, id) => oneStep(worker, (ctx) => fillBatch(ctx, id)),
    finish: ({ worker }, id) => fillBatch(worker, id),
    giveUp: failBatch,
    states: [
      ['QUEUED', 0, 7_000, 0],
      ['RUNNING', 5_000, 7_000, 0],
      ['COMPLETED', 7_000, 7_000, 0],
    ],
  },
  {
    field: 'tierRecalculationProgress',
    start: ({ make }) => make('mutation { made: recalculateTiers { id } }'),
    step: ({ worker }, id) => oneStep(worker, (ctx) => runTierRecalculation(ctx, id, 2)),
    finish: ({ worker }, id) => runTierRecalculation(worker, id, 2),
    giveUp: failRecalculation,
    states: [
      ['QUEUED', 0, null, 0],
      ['RUNNING', 2, null, 0],
      ['COMPLETED', 3, 3, 0],
    ],
  },
  {
    field: 'memberExportProgress',
    start: ({ make, memberIds: [id] }) =>
      make('mutation ($id: ID!) { made: requestMemberExport(memberId: $id) { id } }', { id }),
    step: null,
    finish: ({ worker }, id) => gatherMemberExport(worker, id),
    giveUp: failExport,
    states: [
      ['QUEUED', 0, 1, 0],
      ['COMPLETED', 1, 1, 0],
    ],
  },
  {
    field: 'testDataPurgeProgress',
    start: ({ make }) => make('mutation { made: purgeTestData { id } }'),
    step: ({ worker }, id) => notePurged(worker, id, 'loyalty', { members: 2, points: 3 }),
    async finish({ worker }, id) {
      for (const part of purgeParts)
        await notePurged(worker, id, part, part === 'commerce' ? { orders: 4 } : {});
    },
    giveUp: notePurgeFailed,
    states: [
      ['RUNNING', 0, null, 0],
      ['RUNNING', 5, null, 0],
      ['COMPLETED', 9, 9, 0],
    ],
  },
  {
    field: 'importProgress',
    start: ({ make }) => make('mutation { made: createMemberImport(input: { format: CSV }) { id } }'),
    async step({ worker }, id) {
      await worker.sql.query(
        `UPDATE platform.imports SET status = 'QUEUED' WHERE workspace_id = $1 AND id = $2`,
        [worker.scope.workspaceId, id],
      );
      const run = (await beginRun(worker, id))!;
      await advance(worker, run, { ...ROWS, inserted: 1, failed: 1 });
      publishProgress(worker, 'import', id);
    },
    async finish({ worker }, id) {
      await endRun(worker, (await findImport(worker, id))!, null);
      publishEnd(worker, 'import', id);
    },
    giveUp: giveUpImport,
    states: [
      ['QUEUED', 0, null, 0],
      ['RUNNING', 2, null, 1],
      ['COMPLETED_WITH_ERRORS', 2, 2, 1],
    ],
  },
];
