import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { BUYER_CREDITS, expectSound } from '@loyalty/model-subgraph/bulk-jobs/bulk-faults.fixture';
import {
  act,
  givenJob,
  givenMembers,
  jobOf,
  resultRows,
  stateRows,
} from '@loyalty/model-subgraph/bulk-jobs/bulk-jobs.fixture';
import { expireReservations } from '@loyalty/model-subgraph/credits/reservations.service';
import { fund } from '@loyalty/model-subgraph/credits/subscriptions.fixture';
import { getWallet } from '@loyalty/model-subgraph/credits/wallet.service';
import { fixedClock, HOUR_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { eventually } from '../harness/eventually.ts';
import { contextOf, useServices } from '../harness/services.ts';
import { claims, killed, passLeases, useWorkers } from './bulk-workers.fixture.ts';

const MEMBERS = 14_000;
const KILLS = 2;

const used = useServices();
const { services, newContext } = used;
const { newWorker, worker, keep } = useWorkers(used);

const isPast = (ctx: Context, id: string, processed: number) =>
  eventually(async () => expect((await jobOf(ctx, id)).processed).toBeGreaterThan(processed));

/** The rows of the refresh that a client can see, and its costs. */
const everyRow = (ctx: Context): Promise<unknown> =>
  ctx.sql.query(
    `SELECT (SELECT jsonb_agg(to_jsonb(j) - 'unanswered_calls' ORDER BY id) FROM model.bulk_jobs AS j
              WHERE j.workspace_id = $1) AS jobs,
            (SELECT jsonb_agg(jsonb_build_array(number, succeeded, unavailable, failed, attempts, credits,
                                                is_open, written_at) ORDER BY job_id, number)
               FROM model.bulk_chunks AS c WHERE c.workspace_id = $1) AS chunks,
            (SELECT count(*) || md5(string_agg(r::text, ',' ORDER BY job_id, member_id))
               FROM model.bulk_results AS r WHERE r.workspace_id = $1) AS results,
            (SELECT count(*) || md5(string_agg(s::text, ',' ORDER BY member_id))
               FROM model.member_states AS s WHERE s.workspace_id = $1) AS states,
            (SELECT jsonb_agg(e ORDER BY sequence, account) FROM model.credit_entries AS e
              WHERE e.workspace_id = $1) AS entries`,
    [ctx.scope.workspaceId],
  );

async function expectComplete(ctx: Context, id: string, ids: readonly string[]): Promise<void> {
  await eventually(async () => expect((await jobOf(ctx, id)).status).toBe('COMPLETED'), 120_000);
  const { credits } = await expectSound(ctx, id);
  expect(await jobOf(ctx, id)).toMatchObject({ processed: ids.length, succeeded: ids.length, failed: 0 });
  expect([...(await resultRows(ctx, id)).keys()].sort()).toEqual(ids);
  expect((await stateRows(ctx)).size).toBe(ids.length);
  expect(credits).toBe(ctx.scope.mode === 'TEST' ? 0 : ids.length * BUYER_CREDITS);
}

/** A context whose wallet can pay for everything; the deposit is in the ledger. */
async function newPayingContext(): Promise<Context> {
  const ctx = newContext();
  await getWallet(ctx);
  await ctx.sql.query(`UPDATE model.wallets SET plan = 'PAID' WHERE workspace_id = $1`, [
    ctx.scope.workspaceId,
  ]);
  const { message } = await fund(ctx, 20_000);
  expect(message).toBeUndefined();
  return ctx;
}

test('a worker that is killed in the middle loses nothing: another one finishes, each member counted once', async () => {
  const ctx = await newPayingContext();
  const ids = await givenMembers(ctx, MEMBERS);
  const id = await givenJob(ctx);
  let lost = 0;
  for (let round = 0; round < KILLS; round += 1) {
    const one = await newWorker();
    await isPast(ctx, id, round * 1_000);
    await eventually(async () => expect(await claims(ctx)).toBeGreaterThan(lost));
    await killed(one);
    lost = await claims(ctx);
  }
  const left = await jobOf(ctx, id);
  expect(left).toMatchObject({ status: 'RUNNING' });
  expect(lost).toBeGreaterThan(0);
  const last = await newWorker();
  await eventually(async () => {
    await passLeases(ctx);
    expect((await jobOf(ctx, id)).status).toBe('COMPLETED');
  }, 120_000);
  expect(left.processed).toBeLessThan(MEMBERS);
  await expectComplete(ctx, id, ids);
  keep(last);
  // The reservations of killed workers expire after a quarter of an hour.
  await expireReservations(contextOf({ ...services, clock: fixedClock(new Date(Date.now() + HOUR_MS)) }));
  expect((await getWallet(contextOf(services, ctx.caller))).reserved).toBe(0n);
}, 300_000);

test('pause and cancel under load: nothing is written after their answers', async () => {
  const ctx = newContext({ mode: 'TEST' });
  const ids = await givenMembers(ctx, MEMBERS);
  await worker();
  await newWorker();
  const id = await givenJob(ctx);
  for (const share of [0.1, 0.3]) {
    await isPast(ctx, id, MEMBERS * share);
    expect((await act(ctx, 'pauseBulkJob', id)).data.pauseBulkJob).toMatchObject({ status: 'PAUSED' });
    const before = await everyRow(ctx);
    await delay(3_000);
    expect(await everyRow(ctx)).toEqual(before);
    await expectSound(ctx, id);
    await act(ctx, 'resumeBulkJob', id);
  }
  await isPast(ctx, id, MEMBERS * 0.4);
  const { data } = await act(ctx, 'cancelBulkJob', id);
  const before = await everyRow(ctx);
  expect(data.cancelBulkJob).toMatchObject({ status: 'CANCELLED', failed: 0 });
  expect(data.cancelBulkJob.processed).toBeLessThan(MEMBERS);
  await delay(3_000);
  expect(await everyRow(ctx)).toEqual(before);
  await expectSound(ctx, id);
  // The states that were saved remain, and the next job refreshes all members.
  expect((await stateRows(ctx)).size).toBe(data.cancelBulkJob.processed);
  await expectComplete(ctx, await givenJob(ctx), ids);
}, 300_000);
