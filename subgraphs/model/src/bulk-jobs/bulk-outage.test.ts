import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { Context } from '@loyalty/platform/context';
import { useServices } from '@loyalty/test/harness/services';
import {
  BUYER_CREDITS,
  expectSound,
  givenChunks,
  type SlowScorer,
  slowScorer,
  workerWithoutModel,
} from './bulk-faults.fixture.ts';
import { act, jobOf, passTime, resultRows, stateRows, workerContext, workOff } from './bulk-jobs.fixture.ts';
import { processChunksLoop } from './bulk-jobs.jobs.ts';

const { services, newContext, beforeClose } = useServices();
const worker = () => workerContext(services);

async function givenScorer(during: SlowScorer['during']): Promise<SlowScorer> {
  const scorer = await slowScorer(during);
  beforeClose(scorer.close);
  return scorer;
}

/** Takes a turn with a chunk, which may have to wait for the budget. */
async function takeTurn(taker: Context): Promise<void> {
  for (let waits = 0; (await processChunksLoop.turn(taker)) > 0; waits += 1) {
    expect(waits).toBeLessThan(500);
    await delay(10);
  }
}

/** Takes a turn with a chunk if one is due; waiting for the budget does not count as a turn. */
async function takeDueTurn(taker: Context): Promise<void> {
  for (;;) {
    const waitMs = await processChunksLoop.turn(taker);
    if (waitMs === 0 || waitMs >= 1_000) return;
    await delay(waitMs);
  }
}

/** Takes turns of independent workers until the job has ended or is paused. */
async function workOn(ctx: Context, id: string, another: () => Context, turns = 60): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    if (!['RUNNING', 'QUEUED'].includes((await jobOf(ctx, id)).status)) return;
    await Promise.all([takeDueTurn(another()), takeDueTurn(another())]);
    await passTime(ctx);
  }
}

test('ten calls in succession without an answer, of whichever worker, pause the job; no member has failed', async () => {
  const ctx = newContext();
  const { id, ids } = await givenChunks(worker(), ctx, 3);
  for (let call = 1; call <= 10; call += 1) {
    expect(await jobOf(ctx, id)).toMatchObject({ status: 'RUNNING' });
    await takeTurn(workerWithoutModel(services));
    await passTime(ctx);
  }
  expect(await jobOf(ctx, id)).toMatchObject({
    status: 'PAUSED',
    pauseReason: 'MODEL_SERVICE_UNAVAILABLE',
    processed: 0,
    failed: 0,
    creditsCharged: 0,
  });
  expect((await stateRows(ctx)).size).toBe(0);
  await expectSound(ctx, id);

  await act(ctx, 'resumeBulkJob', id);
  // The count starts again: two more failures are no outage.
  for (let call = 0; call < 2; call += 1) await takeTurn(workerWithoutModel(services));
  expect(await jobOf(ctx, id)).toMatchObject({ status: 'RUNNING', pauseReason: null });
  await workOn(ctx, id, worker);
  await act(ctx, 'retryBulkJob', id);
  await workOn(ctx, id, worker);
  expect(await jobOf(ctx, id)).toMatchObject({
    status: 'COMPLETED',
    processed: 15,
    failed: 0,
    creditsCharged: 15 * BUYER_CREDITS,
  });
  expect([...(await resultRows(ctx, id)).keys()].sort()).toEqual(ids);
  await expectSound(ctx, id);
});

test('a call that is answered ends the succession, also one that was sent before the others failed', async () => {
  const ctx = newContext({ mode: 'TEST' });
  const { id } = await givenChunks(worker(), ctx, 4);
  const scorer = await givenScorer(async () => {
    // Nine other calls fail while this one waits.
    for (let call = 0; call < 9; call += 1) {
      await takeTurn(workerWithoutModel(services));
      await ctx.sql.query(
        `UPDATE model.bulk_chunks SET due_at = now() - interval '1 second', claims = 0
          WHERE workspace_id = $1 AND is_open AND token > 1`,
        [ctx.scope.workspaceId],
      );
    }
    return 'ANSWERS';
  });
  await ctx.sql.query('UPDATE model.bulk_chunks SET token = 1 WHERE workspace_id = $1', [
    ctx.scope.workspaceId,
  ]);
  await takeTurn(workerContext(services, { MODEL_URL_SCORE: scorer.url }));
  expect(scorer.calls).toBe(1);
  await takeTurn(workerWithoutModel(services));
  expect(await jobOf(ctx, id)).toMatchObject({ status: 'RUNNING', pauseReason: null });
  await expectSound(ctx, id);
  await act(ctx, 'cancelBulkJob', id);
});

test('a chunk whose calls fail alone has failed after three attempts, and says why', async () => {
  const ctx = newContext();
  const { id, ids } = await givenChunks(worker(), ctx, 2);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await takeTurn(workerWithoutModel(services));
    await ctx.sql.query(
      `UPDATE model.bulk_chunks SET due_at = now() - interval '1 second'
        WHERE workspace_id = $1 AND attempt > 0 AND is_open`,
      [ctx.scope.workspaceId],
    );
    await ctx.sql.query(
      `UPDATE model.bulk_chunks SET due_at = now() + interval '1 hour'
        WHERE workspace_id = $1 AND attempt = 0`,
      [ctx.scope.workspaceId],
    );
    await ctx.sql.query('UPDATE model.bulk_jobs SET unanswered_calls = 0 WHERE workspace_id = $1', [
      ctx.scope.workspaceId,
    ]);
  }
  expect(await jobOf(ctx, id)).toMatchObject({ failed: 5, processed: 5, attempts: 15 });
  const rows = await ctx.sql.query<{ code: string }>(
    'SELECT DISTINCT error_code AS code FROM model.bulk_results WHERE workspace_id = $1',
    [ctx.scope.workspaceId],
  );
  expect(rows).toEqual([{ code: 'MODEL_SERVICE_UNAVAILABLE' }]);
  await expectSound(ctx, id);
  await workOn(ctx, id, worker);
  expect(await jobOf(ctx, id)).toMatchObject({ status: 'COMPLETED_WITH_ERRORS', succeeded: 5, failed: 5 });
  await act(ctx, 'retryBulkJob', id);
  await workOn(ctx, id, worker);
  expect(await jobOf(ctx, id)).toMatchObject({ status: 'COMPLETED', succeeded: 10, attempts: 25 });
  expect([...(await resultRows(ctx, id)).keys()].sort()).toEqual(ids);
  await expectSound(ctx, id);
});

test('a model that loses three of ten calls never pauses the job; what failed is retried, and all are exact', async () => {
  const ctx = newContext();
  const { id, ids } = await givenChunks(worker(), ctx, 20);
  let calls = 0;
  const scorer = await givenScorer(async () => {
    calls += 1;
    return calls % 10 < 3 ? 'FAILS' : 'ANSWERS';
  });
  const remote = () => workerContext(services, { MODEL_URL_SCORE: scorer.url });
  await workOn(ctx, id, remote);
  for (let round = 0; round < 5; round += 1) {
    const { status, pauseReason } = await jobOf(ctx, id);
    expect(pauseReason).toBeNull();
    await expectSound(ctx, id);
    if (status === 'COMPLETED') break;
    expect(status).toBe('COMPLETED_WITH_ERRORS');
    await act(ctx, 'retryBulkJob', id);
    await workOn(ctx, id, remote);
  }
  expect(await jobOf(ctx, id)).toMatchObject({ status: 'COMPLETED', processed: 100, succeeded: 100 });
  expect([...(await resultRows(ctx, id)).keys()].sort()).toEqual(ids);
});

test('one worker whose circuit is open does not pause the job again after the model came back', async () => {
  const ctx = newContext({ mode: 'TEST' });
  const { id } = await givenChunks(worker(), ctx, 16);
  let isAway = true;
  const scorer = await givenScorer(async () => (isAway ? 'FAILS' : 'ANSWERS'));
  const remote = workerContext(services, { MODEL_URL_SCORE: scorer.url });
  for (let turn = 0; turn < 20; turn += 1) {
    await takeTurn(remote);
    await passTime(ctx);
  }
  // The circuit opened after five calls; on a slow machine it has retried since, once a second. A call
  // refused by the circuit counts neither as a call nor as an attempt.
  const { calls } = scorer;
  expect(calls).toBeGreaterThanOrEqual(5);
  expect(calls).toBeLessThan(10);
  expect(await jobOf(ctx, id)).toMatchObject({ status: 'RUNNING', attempts: 5 * calls });
  for (let call = calls; call < 10; call += 1) await takeTurn(workerWithoutModel(services));
  expect(await jobOf(ctx, id)).toMatchObject({ pauseReason: 'MODEL_SERVICE_UNAVAILABLE' });
  isAway = false;
  await act(ctx, 'resumeBulkJob', id);
  for (let turn = 0; turn < 40; turn += 1) await processChunksLoop.turn(remote);
  const resumed = await jobOf(ctx, id);
  expect(resumed.pauseReason).toBeNull();
  expect(resumed.status).not.toBe('PAUSED');
  await workOff(worker());
  await passTime(ctx);
  await workOff(worker());
  expect(await jobOf(ctx, id)).toMatchObject({ status: 'COMPLETED', processed: 80, failed: 0 });
  await expectSound(ctx, id);
});
