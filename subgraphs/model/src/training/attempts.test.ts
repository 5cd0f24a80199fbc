import { beforeEach, expect, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import { invalid } from '@loyalty/platform/base/errors';
import { eventually } from '@loyalty/test/harness/eventually';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { failingTrainer, meanTrainer } from '../pipelines/trainer.fixture.ts';
import type { Trainer } from '../pipelines/trainer.ts';
import { listReports } from '../versions/reports.service.ts';
import { listVersionEvents } from '../versions/version-events.service.ts';
import { cancelVersion, getVersion, startVersion, watchVersion } from '../versions/versions.service.ts';
import { extendClaim } from './attempts.store.ts';
import { claim, runAttempt } from './run-attempt.service.ts';
import { givenEvaluated, givenVersion, work } from './versions.fixture.ts';

const { services, ctx, fresh } = useServices();
// Finishes attempts that earlier tests left in the queue.
beforeEach(() => work(ctx));

const worker = () => contextOf(services, systemCaller('test'));
const inScope = () => contextOf(services, systemCaller('training', ctx.scope));
const passLease = () =>
  ctx.sql.query(
    `UPDATE model.model_versions SET due_at = now() - interval '1 second'
      WHERE workspace_id = $1 AND due_at IS NOT NULL`,
    [ctx.scope.workspaceId],
  );
const started = async () => startVersion(ctx, await givenVersion(ctx));
const reports = async (id: string) => (await listReports(ctx, id, {})).rows;

/** Returns the same trainer with a count of its steps. */
function countedSteps(trainer: Trainer): { readonly trainer: Trainer; steps(): number } {
  let count = 0;
  const trainVersion: Trainer['trainVersion'] = (request, options) =>
    trainer.trainVersion(request, {
      ...options,
      onProgress(progress) {
        count += 1;
        options.onProgress(progress);
      },
    });
  return { trainer: { ...trainer, trainVersion }, steps: () => count };
}

test('a cancelled attempt stops and leaves no report', async () => {
  const version = await started();
  const { steps, trainer } = countedSteps(meanTrainer({ steps: 1_000, stepMs: 100 }));
  const running = work(ctx, trainer);
  await eventually(async () => expect((await getVersion(fresh(), version)).status).toBe('RUNNING'));
  expect((await cancelVersion(ctx, version)).status).toBe('CANCELLED');
  await running;
  expect(steps()).toBeLessThan(500);
  expect(await getVersion(ctx, version)).toMatchObject({ status: 'CANCELLED', attempt: 1, reportId: null });
  expect(await reports(version.id)).toEqual([]);
  await startVersion(ctx, version);
  await work(ctx);
  expect(await getVersion(ctx, version)).toMatchObject({ status: 'EVALUATED', attempt: 2 });
});

test('a running attempt is not taken twice; one whose worker is lost is, and has one report', async () => {
  const version = await started();
  const first = (await claim(worker()))!;
  expect(first).toMatchObject({ id: version.id, attempt: 1, claims: 1 });
  expect(await claim(worker())).toBeNull();
  await passLease();
  const second = (await claim(worker()))!;
  expect(second).toMatchObject({ id: version.id, attempt: 1, claims: 2 });
  // The first worker was only slow: it writes nothing any more, even if it finishes first.
  await runAttempt(inScope(), first, meanTrainer());
  expect(await reports(version.id)).toEqual([]);
  await runAttempt(inScope(), second, meanTrainer());
  await runAttempt(inScope(), first, meanTrainer());
  await runAttempt(inScope(), second, meanTrainer());
  expect((await reports(version.id)).map(({ attempt }) => attempt)).toEqual([1]);
  expect(await getVersion(ctx, version)).toMatchObject({ status: 'EVALUATED', attempt: 1 });
});

test('a worker whose attempt was taken by another one neither fails it nor keeps its claim', async () => {
  const version = await started();
  const stale = (await claim(worker()))!;
  await passLease();
  const current = (await claim(worker()))!;
  await runAttempt(inScope(), stale, failingTrainer(new Error('late')));
  expect(await extendClaim(inScope(), stale, { step: 'late', done: 0.5 }, 60)).toBe(false);
  expect(await getVersion(fresh(), version)).toMatchObject({ status: 'RUNNING', done: 0, failure: null });
  expect(await extendClaim(inScope(), current, { step: 'first', done: 0.1 }, 60)).toBe(true);
  await runAttempt(inScope(), current, failingTrainer(new Error('own')));
  expect(await getVersion(fresh(), version)).toMatchObject({ status: 'FAILED' });
});

test('an attempt that lost two workers has failed', async () => {
  const version = await started();
  for (let round = 0; round < 2; round += 1) {
    expect(await claim(worker())).not.toBeNull();
    await passLease();
  }
  await work(ctx);
  expect(await getVersion(ctx, version)).toMatchObject({ status: 'FAILED', failureCode: 'WORKER_LOST' });
  expect(await claim(worker())).toBeNull();
});

test('a worker that trains keeps its claim', async () => {
  const version = await started();
  const running = work(ctx, meanTrainer({ steps: 65, stepMs: 100 }));
  const taken: unknown[] = [];
  for (let round = 0; round < 6; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    taken.push(await claim(worker()));
  }
  await running;
  expect(taken.every((one) => one === null)).toBe(true);
  expect((await reports(version.id)).length).toBe(1);
});

test('training that fails says why, where the workspace can do something about it', async () => {
  const version = await started();
  await work(ctx, failingTrainer(invalid('f_price', 'is constant')));
  expect(await getVersion(ctx, version)).toMatchObject({
    status: 'FAILED',
    failureCode: 'VALIDATION_FAILED',
    failure: 'f_price is constant.',
  });
  await startVersion(ctx, version);
  await work(ctx, failingTrainer(new Error('secret')));
  const failed = await getVersion(ctx, version);
  expect(failed).toMatchObject({ status: 'FAILED', failureCode: 'TRAINING_FAILED', attempt: 2 });
  expect(JSON.stringify([failed, await listVersionEvents(ctx, 'TRAINING')])).not.toContain('secret');
  await startVersion(ctx, version);
  expect(await getVersion(ctx, version)).toMatchObject({ failureCode: null, failure: null });
});

test('an incremental version starts from the artifact of its base', async () => {
  const base = await givenEvaluated(ctx);
  const version = await givenEvaluated(ctx, { baseId: base.id });
  expect(version.fingerprint).not.toBe(base.fingerprint);
});

test('the same upload in two workspaces has the same fingerprint', async () => {
  const other = fresh({ mode: 'TEST' });
  const one = await givenEvaluated(ctx);
  const two = await givenEvaluated(other);
  expect([one.id === two.id, one.fingerprint]).toEqual([false, two.fingerprint]);
});

test('progress is watched to the end of the attempt', async () => {
  const version = await started();
  const seen: [string, number][] = [];
  const watching = (async () => {
    for await (const { status, done } of await watchVersion(fresh(), version.id)) seen.push([status, done]);
  })();
  await work(ctx, meanTrainer({ steps: 20, stepMs: 100 }));
  await watching;
  expect(seen[0]![0]).toMatch(/QUEUED|RUNNING/);
  expect(seen.at(-1)).toEqual(['EVALUATED', 1]);
  expect(seen.some(([status, done]) => status === 'RUNNING' && done > 0 && done < 1)).toBe(true);
});
