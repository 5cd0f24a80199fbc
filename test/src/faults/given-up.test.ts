import { afterEach, beforeAll, expect, test } from '@jest/globals';
import {
  findBulkAward,
  retryBulkAward,
  startBulkAward,
} from '@loyalty/loyalty-subgraph/bulk-awards/bulk-awards.service';
import {
  generateCoupons,
  lastBatch,
  retryCouponBatch,
} from '@loyalty/loyalty-subgraph/coupons/coupon-batches.service';
import { createCouponPool } from '@loyalty/loyalty-subgraph/coupons/coupon-pools.service';
import {
  findMemberExport,
  requestMemberExport,
} from '@loyalty/loyalty-subgraph/exports/member-exports.service';
import { getImport, retryImport } from '@loyalty/loyalty-subgraph/imports/imports.service';
import { given } from '@loyalty/loyalty-subgraph/loyalty.fixture';
import {
  findTierRecalculation,
  recalculateTiers,
  retryTierRecalculation,
} from '@loyalty/loyalty-subgraph/tiers/tier-recalculations.service';
import { reactions } from '@loyalty/worker/reactions';
import { tasks } from '@loyalty/worker/tasks';
import { startWorker, type Worker } from '@loyalty/worker/worker';
import { findPurge, purgeTestData } from '@loyalty/workspace-subgraph/test-data/test-data.service';
import { eventually } from '../harness/eventually.ts';
import { useServices } from '../harness/services.ts';
import { queuedImport } from '../imports/import-files.fixture.ts';

const MEMBERS = 2_500;
const FAILURE = expect.stringMatching(/^Given up after 1 attempt; the last one failed with \w+\.$/);

const { services, ctx, fresh, beforeClose } = useServices({ isWorkspaceShared: true });
let worker: Worker;

/** The worker of the product, with a single attempt for every job. */
beforeAll(async () => {
  worker = await startWorker(
    { ...services, config: { ...services.config, DATABASE_URL: services.url } },
    {
      reactions: reactions.map(({ event, jobs }) => ({
        event,
        jobs: jobs.map((job) => ({ ...job, retryLimit: 0 })),
      })),
      schedule: [],
    },
  );
  await services.database.sql.query(
    `CREATE FUNCTION public.broken() RETURNS trigger LANGUAGE plpgsql AS
       'BEGIN RAISE EXCEPTION ''broken''; END'`,
    [],
  );
});
afterEach(() => repair());
beforeClose(() => worker.stop());

let broken: string[] = [];

/** Makes the database refuse a kind of change until `repair` is called. */
async function breakDown(table: string, change: 'UPDATE' | 'DELETE', when: string): Promise<void> {
  await services.database.sql.query(
    `CREATE TRIGGER broken BEFORE ${change} ON ${table} FOR EACH ROW WHEN (${when})
     EXECUTE FUNCTION public.broken()`,
    [],
  );
  broken.push(table);
}

async function repair(): Promise<void> {
  for (const table of broken) await services.database.sql.query(`DROP TRIGGER broken ON ${table}`, []);
  broken = [];
}

const retryable = { category: 'CONFLICT', code: expect.stringMatching(/_NOT_(FAILED|RETRYABLE)$/) };

test('an import that was given up says why, and its retry writes what is left, no row twice', async () => {
  await breakDown('platform.imports', 'UPDATE', `NEW.position > 1000 AND NEW.status = 'RUNNING'`);
  const rows = Array.from({ length: MEMBERS }, (_, at) => ({ email: `p${at}@example.com` }));
  const id = await queuedImport(fresh(), 'MEMBERS', rows);
  await eventually(async () => {
    const failed = await getImport(fresh(), id);
    expect(failed).toMatchObject({ status: 'FAILED', failure: FAILURE, inserted: 1_000, total: null });
    expect(failed.finishedAt).toEqual(expect.any(Date));
  });
  await repair();
  expect(await retryImport(fresh(), id)).toMatchObject({ status: 'QUEUED', failure: null, inserted: 1_000 });
  await eventually(async () => {
    const ended = {
      status: 'COMPLETED',
      total: MEMBERS,
      inserted: MEMBERS,
      updated: 0,
      skipped: 0,
      failed: 0,
    };
    expect(await getImport(fresh(), id)).toMatchObject({ ...ended, failure: null });
  });
  await expect(retryImport(fresh(), id)).rejects.toMatchObject(retryable);
});

test('a bulk award that was given up says why, and its retry awards the others', async () => {
  await breakDown('loyalty.bulk_awards', 'UPDATE', `NEW.processed > 1000 AND NEW.status = 'RUNNING'`);
  const { id } = await startBulkAward(fresh(), { amount: 5, description: 'spring', status: 'ACTIVE' });
  await eventually(async () => {
    const failed = { status: 'FAILED', failure: FAILURE, succeeded: 1_000, finishedAt: expect.any(Date) };
    expect(await findBulkAward(fresh(), id)).toMatchObject(failed);
  });
  await repair();
  await retryBulkAward(fresh(), id);
  await eventually(async () => {
    const ended = { status: 'COMPLETED', failure: null, succeeded: MEMBERS, failed: 0 };
    expect(await findBulkAward(fresh(), id)).toMatchObject(ended);
  });
  const [sums] = await ctx.sql.query(
    `SELECT count(*)::int AS entries, sum(amount)::int AS points FROM loyalty.points_entries
      WHERE workspace_id = $1`,
    [ctx.scope.workspaceId],
  );
  expect(sums).toEqual({ entries: MEMBERS, points: 5 * MEMBERS });
  await expect(retryBulkAward(fresh(), id)).rejects.toMatchObject(retryable);
});

test('a recalculation of tiers that was given up says why, and its retry counts nobody twice', async () => {
  await breakDown('loyalty.tier_recalculations', 'UPDATE', `NEW.status = 'COMPLETED'`);
  const { id } = await recalculateTiers(fresh());
  await eventually(async () => {
    const failed = { status: 'FAILED', failure: FAILURE, processed: MEMBERS };
    expect(await findTierRecalculation(fresh(), id)).toMatchObject(failed);
  });
  await repair();
  const other = await recalculateTiers(fresh());
  await expect(retryTierRecalculation(fresh(), id)).rejects.toMatchObject({ category: 'CONFLICT' });
  await eventually(async () => {
    expect(await findTierRecalculation(fresh(), other.id)).toMatchObject({ status: 'COMPLETED' });
  });
  await retryTierRecalculation(fresh(), id);
  await eventually(async () => {
    const ended = { status: 'COMPLETED', failure: null, processed: MEMBERS };
    expect(await findTierRecalculation(fresh(), id)).toMatchObject(ended);
  });
  await expect(retryTierRecalculation(fresh(), id)).rejects.toMatchObject(retryable);
});

test('a batch of coupons that was given up says why, and its retry makes the missing codes', async () => {
  const pool = await createCouponPool(fresh(), { name: 'Thanks', couponType: 'FIXED', discountDisplay: '5' });
  await breakDown('loyalty.coupon_batches', 'UPDATE', 'NEW.created > 5000');
  await generateCoupons(fresh(), pool.id, 6_000);
  await eventually(async () => {
    const failed = { status: 'FAILED', failure: FAILURE, created: 5_000 };
    expect(await lastBatch(fresh(), pool.id)).toMatchObject(failed);
  });
  await repair();
  const { id } = (await lastBatch(fresh(), pool.id))!;
  await retryCouponBatch(fresh(), id);
  await eventually(async () => {
    const ended = { status: 'COMPLETED', failure: null, created: 6_000 };
    expect(await lastBatch(fresh(), pool.id)).toMatchObject(ended);
  });
  const codes = await ctx.sql.query('SELECT 1 FROM loyalty.coupons WHERE workspace_id = $1', [
    ctx.scope.workspaceId,
  ]);
  expect(codes).toHaveLength(6_000);
  await expect(retryCouponBatch(fresh(), id)).rejects.toMatchObject(retryable);
});

test("a member's export that was given up says why, and another one may be asked for at once", async () => {
  const { id: memberId } = await given.member(fresh());
  await breakDown('loyalty.member_exports', 'UPDATE', `NEW.status = 'COMPLETED'`);
  const { id } = await requestMemberExport(fresh(), memberId);
  await eventually(async () => {
    expect(await findMemberExport(fresh(), id)).toMatchObject({ status: 'FAILED', failure: FAILURE });
  });
  await repair();
  const again = await requestMemberExport(fresh(), memberId);
  expect(again.id).not.toBe(id);
  await eventually(async () => {
    expect(await findMemberExport(fresh(), again.id)).toMatchObject({ status: 'COMPLETED', failure: null });
  });
});

test('a purge of the sandbox that was given up says why, and another one empties what is left', async () => {
  const sandbox = fresh({ mode: 'TEST' });
  await given.member(sandbox);
  await breakDown('loyalty.members', 'DELETE', `OLD.mode = 'TEST'`);
  const { id } = await purgeTestData(fresh());
  await eventually(async () => {
    expect(await findPurge(fresh(), id)).toMatchObject({ status: 'FAILED', failure: FAILURE });
  });
  await repair();
  const again = await purgeTestData(fresh());
  expect(again.id).not.toBe(id);
  await eventually(async () => {
    const ended = { status: 'COMPLETED', failure: null, purged: { members: 1 } };
    expect(await findPurge(fresh(), again.id)).toMatchObject(ended);
  });
});

test('every job that a workspace sees under way says what becomes of it when it is given up', () => {
  const unseen = ['loyalty.fill-object-field', 'model.ingest-imported-orders'];
  const silent = tasks.filter(({ isLong, onExhausted }) => isLong && !onExhausted).map(({ name }) => name);
  expect(silent.sort()).toEqual(unseen);
});
