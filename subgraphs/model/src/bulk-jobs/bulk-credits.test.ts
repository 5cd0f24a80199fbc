import { expect, test } from '@jest/globals';
import { MINUTE_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { expireReservations, releaseReservation, reserveCredits } from '../credits/reservations.service.ts';
import { fund } from '../credits/subscriptions.fixture.ts';
import { getWallet } from '../credits/wallet.service.ts';
import {
  BUYER_CREDITS,
  expectSound,
  givenBroken,
  givenCredits,
  moreCredits,
  slowScorer,
  workerWithoutModel,
} from './bulk-faults.fixture.ts';
import {
  givenJob,
  givenMembers,
  jobOf,
  passTime,
  resultRows,
  scanAll,
  workerContext,
  workOff,
} from './bulk-jobs.fixture.ts';
import { processChunksLoop } from './bulk-jobs.jobs.ts';
import { resumeFundedJobs } from './job-stops.service.ts';

const { services, newContext, beforeClose } = useServices();
const worker = () => workerContext(services);
const walletOf = (ctx: Context) => getWallet(contextOf(services, ctx.caller));

/** Activates paid service with this many credits in addition to the trial's. */
async function payingWith(ctx: Context, credits: number): Promise<void> {
  await getWallet(contextOf(services, ctx.caller));
  await ctx.sql.query(`UPDATE model.wallets SET plan = 'PAID' WHERE workspace_id = $1`, [
    ctx.scope.workspaceId,
  ]);
  await fund(contextOf(services, ctx.caller), credits / 100);
}

/** Returns the number of a job's chunks. */
async function chunksOf(ctx: Context, id: string): Promise<number> {
  const chunks = await ctx.sql.query(
    'SELECT FROM model.bulk_chunks WHERE workspace_id = $1 AND job_id = $2',
    [ctx.scope.workspaceId, id],
  );
  return chunks.length;
}

/** Works while time passes, until the job has ended or is paused. */
async function workOn(ctx: Context, id: string, by = worker()): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) {
    await workOff(by);
    if (!['RUNNING', 'QUEUED'].includes((await jobOf(ctx, id)).status)) return;
    await passTime(ctx);
  }
}

test('9,000 members and 60,000 credits: one chunk is divided, the job pauses, and after a deposit the rest takes a call for each chunk', async () => {
  const ctx = newContext();
  await payingWith(ctx, 10_000);
  const ids = await givenMembers(ctx, 9_000);
  const id = await givenJob(ctx);
  const scorer = await slowScorer(async () => 'ANSWERS');
  beforeClose(scorer.close);
  const remote = workerContext(services, { MODEL_URL_SCORE: scorer.url });
  await workOn(ctx, id, remote);

  // Two chunks, and 666 members of the third: 30 credits must be available for each member, 20 are charged.
  const paused = await jobOf(ctx, id);
  expect(paused).toMatchObject({ status: 'PAUSED', pauseReason: 'INSUFFICIENT_CREDITS', failed: 0 });
  expect(paused).toMatchObject({ processed: 2_666, attempts: 2_666, creditsCharged: 2_666 * BUYER_CREDITS });
  expect(scorer.calls).toBe(3);
  expect(await walletOf(ctx)).toMatchObject({ balance: 60_000n - 53_320n, reserved: 0n });
  await expectSound(ctx, id);

  // The remaining credits do not suffice for a small chunk: the job stays paused until a deposit.
  await resumeFundedJobs(worker());
  expect(await jobOf(ctx, id)).toEqual(paused);

  await fund(contextOf(services, ctx.caller), 1_500);
  await resumeFundedJobs(worker());
  expect(await jobOf(ctx, id)).toMatchObject({ status: 'RUNNING', pauseReason: null });
  await workOn(ctx, id, remote);
  expect(await jobOf(ctx, id)).toMatchObject({
    status: 'COMPLETED',
    processed: 9_000,
    attempts: 9_000,
    creditsCharged: 9_000 * BUYER_CREDITS,
  });
  expect(scorer.calls).toBe(10);
  expect(await chunksOf(ctx, id)).toBe(10);
  const results = await resultRows(ctx, id);
  expect([...results.keys()].sort()).toEqual(ids);
  expect([...results.values()].every(({ attempts }) => attempts === 1)).toBe(true);
  await expectSound(ctx, id);
});

test('two workers that lack credits at once divide one chunk, and wait for what each of them holds', async () => {
  const ctx = newContext();
  await payingWith(ctx, 10_000);
  await givenMembers(ctx, 5_000);
  const id = await givenJob(ctx);
  await scanAll(worker());
  for (let turn = 0; turn < 20; turn += 1) {
    await Promise.all([processChunksLoop.turn(worker()), processChunksLoop.turn(worker())]);
    if ((await jobOf(ctx, id)).status === 'PAUSED') break;
    await passTime(ctx);
  }
  expect(await jobOf(ctx, id)).toMatchObject({
    status: 'PAUSED',
    pauseReason: 'INSUFFICIENT_CREDITS',
    processed: 2_666,
  });
  expect(await chunksOf(ctx, id)).toBe(6);
  await expectSound(ctx, id);
});

test('the trial’s 50,000 credits pay for two chunks and a part of the third; small deposits go on from there', async () => {
  const ctx = newContext();
  const ids = await givenMembers(ctx, 3_000);
  const id = await givenJob(ctx);
  await workOn(ctx, id);
  const paused = await jobOf(ctx, id);
  expect(paused).toMatchObject({ status: 'PAUSED', pauseReason: 'INSUFFICIENT_CREDITS', failed: 0 });
  expect(paused.processed).toBe(2_333);
  expect(paused.creditsCharged).toBe(2_333 * BUYER_CREDITS);
  expect(await walletOf(ctx)).toMatchObject({ balance: 3_340n, reserved: 0n });
  await expectSound(ctx, id);

  await resumeFundedJobs(worker());
  expect(await jobOf(ctx, id)).toEqual(paused);

  await ctx.sql.query(`UPDATE model.wallets SET plan = 'PAID' WHERE workspace_id = $1`, [
    ctx.scope.workspaceId,
  ]);
  for (const processed of [2_777, 3_000]) {
    await moreCredits(ctx, 9_999);
    await resumeFundedJobs(worker());
    expect(await jobOf(ctx, id)).toMatchObject({ status: 'RUNNING', pauseReason: null });
    await workOn(ctx, id);
    expect(await jobOf(ctx, id)).toMatchObject({ processed });
  }
  expect(await jobOf(ctx, id)).toMatchObject({
    status: 'COMPLETED',
    attempts: 3_000,
    creditsCharged: 3_000 * BUYER_CREDITS,
  });
  expect([...(await resultRows(ctx, id)).keys()].sort()).toEqual(ids);
  await expectSound(ctx, id);
});

test('a job with fewer members left than a small chunk goes on once all of them can be paid', async () => {
  const ctx = newContext();
  await givenCredits(ctx, 80);
  await givenMembers(ctx, 3);
  const id = await givenJob(ctx);
  await workOff(worker());
  const paused = { status: 'PAUSED', pauseReason: 'INSUFFICIENT_CREDITS', processed: 0 };
  expect(await jobOf(ctx, id)).toMatchObject(paused);
  await resumeFundedJobs(worker());
  expect(await jobOf(ctx, id)).toMatchObject(paused);
  await moreCredits(ctx, 10);
  await resumeFundedJobs(worker());
  await workOff(worker());
  expect(await jobOf(ctx, id)).toMatchObject({ status: 'COMPLETED', processed: 3 });
  await expectSound(ctx, id);
});

test('a call without an answer for the members that can be paid is an attempt of these only', async () => {
  const ctx = newContext();
  await givenCredits(ctx, 9_000);
  const ids = await givenMembers(ctx, 600);
  const id = await givenJob(ctx);
  await scanAll(worker());
  await processChunksLoop.turn(workerWithoutModel(services));
  await workOn(ctx, id);
  // Of 600 members 300 can be paid, and 100 more after them: fewer than a small chunk.
  expect(await jobOf(ctx, id)).toMatchObject({ status: 'PAUSED', processed: 300 });
  await moreCredits(ctx, 7_000);
  await resumeFundedJobs(worker());
  await workOn(ctx, id);
  expect(await jobOf(ctx, id)).toMatchObject({ status: 'COMPLETED', processed: 600, attempts: 900 });
  const results = await resultRows(ctx, id);
  expect(ids.map((each) => results.get(each)?.attempts)).toEqual([
    ...Array.from({ length: 300 }, () => 2),
    ...Array.from({ length: 300 }, () => 1),
  ]);
  await expectSound(ctx, id);
});

test('a wallet that can pay for no member pauses the job before any call of the model', async () => {
  const ctx = newContext();
  await givenCredits(ctx, 29);
  await givenMembers(ctx, 3);
  const id = await givenJob(ctx);
  await workOff(worker());
  expect(await jobOf(ctx, id)).toMatchObject({
    status: 'PAUSED',
    pauseReason: 'INSUFFICIENT_CREDITS',
    processed: 0,
    attempts: 0,
  });
  await expectSound(ctx, id);
});

test('credits that others have reserved are waited for', async () => {
  const ctx = newContext();
  await givenCredits(ctx, 100);
  await givenMembers(ctx, 3);
  const reservation = await reserveCredits(ctx, { amount: 100n, purpose: 'Other' });
  const id = await givenJob(ctx);
  await workOff(worker());
  expect(await jobOf(ctx, id)).toMatchObject({ status: 'RUNNING', processed: 0 });
  await releaseReservation(ctx, reservation);
  await workOn(ctx, id);
  expect(await jobOf(ctx, id)).toMatchObject({ status: 'COMPLETED', processed: 3 });
  await expectSound(ctx, id);
});

test('members that failed, and those with too little data, cost nothing', async () => {
  const ctx = newContext();
  const ids = await givenMembers(ctx, 30, { buyers: 20 });
  await givenBroken(ctx, ids.slice(0, 5));
  const id = await givenJob(ctx);
  await workOn(ctx, id);
  expect(await jobOf(ctx, id)).toMatchObject({
    status: 'COMPLETED_WITH_ERRORS',
    succeeded: 15,
    unavailable: 10,
    failed: 5,
    creditsCharged: 15 * BUYER_CREDITS,
  });
  expect(await walletOf(ctx)).toMatchObject({ balance: 50_000n - 300n, reserved: 0n });
  await expectSound(ctx, id);
});

test('a reservation that expires while the model works costs nobody an attempt, and nothing twice', async () => {
  const ctx = newContext();
  await givenMembers(ctx, 4);
  const id = await givenJob(ctx);
  const scorer = await slowScorer(async () => {
    if (scorer.calls === 1) {
      services.clock.advance(16 * MINUTE_MS);
      await expireReservations(worker());
    }
    return 'ANSWERS';
  });
  beforeClose(scorer.close);
  const remote = workerContext(services, { MODEL_URL_SCORE: scorer.url });
  await workOff(remote);
  expect(await jobOf(ctx, id)).toMatchObject({ status: 'RUNNING', processed: 0, attempts: 0 });
  await expectSound(ctx, id);
  await passTime(ctx);
  await workOff(remote);
  expect(await jobOf(ctx, id)).toMatchObject({ status: 'COMPLETED', processed: 4, attempts: 4 });
  expect(await walletOf(ctx)).toMatchObject({ balance: 50_000n - 80n, reserved: 0n });
  await expectSound(ctx, id);
});

test('the sandbox is free: its job is completed with an empty wallet', async () => {
  const ctx = newContext();
  await givenCredits(ctx, 0);
  const sandbox = newContext({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' });
  await givenMembers(sandbox, 7);
  const id = await givenJob(sandbox);
  await workOff(worker());
  expect(await jobOf(sandbox, id)).toMatchObject({ status: 'COMPLETED', processed: 7, creditsCharged: 0 });
  await expectSound(sandbox, id);
});
