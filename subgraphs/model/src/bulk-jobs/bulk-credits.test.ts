import { expect, test } from '@jest/globals';
import { MINUTE_MS } from '@loyalty/platform/clock';
import type { Context } from '@loyalty/platform/context';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import {
  expireReservations,
  releaseReservation,
  reserveCredits,
} from '../credits/reservations/reservations.service.ts';
import { getWallet } from '../credits/wallet/wallet.service.ts';
import {
  BUYER_CREDITS,
  expectSound,
  givenBroken,
  givenCredits,
  moreCredits,
  slowScorer,
} from './bulk-faults.given.ts';
import {
  givenJob,
  givenMembers,
  jobOf,
  passTime,
  resultRows,
  workerContext,
  workOff,
} from './bulk-jobs.given.ts';
import { resumeFundedJobs } from './jobs/funding.service.ts';

const { services, newContext, beforeClose } = useServices();
const worker = () => workerContext(services);
const walletOf = (ctx: Context) => getWallet(contextOf(services, ctx.caller));

/** Works while time passes, until the job has ended or is paused. */
async function workOn(ctx: Context, id: string): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) {
    await workOff(worker());
    if (!['RUNNING', 'QUEUED'].includes((await jobOf(ctx, id)).status)) return;
    await passTime(ctx);
  }
}

test('the trial’s 50,000 credits pay for 2,500 of 3,000 members; the job pauses and goes on once it is funded', async () => {
  const ctx = newContext();
  const ids = await givenMembers(ctx, 3_000);
  const id = await givenJob(ctx);
  await workOn(ctx, id);
  const paused = await jobOf(ctx, id);
  expect(paused).toMatchObject({ status: 'PAUSED', pauseReason: 'INSUFFICIENT_CREDITS', failed: 0 });
  // 30 credits must be there for a member, 20 are charged.
  expect(paused.processed).toBe(2_499);
  expect(paused.creditsCharged).toBe(2_499 * BUYER_CREDITS);
  expect(await walletOf(ctx)).toMatchObject({ balance: 20n, reserved: 0n });
  await expectSound(ctx, id);

  await resumeFundedJobs(worker());
  expect(await jobOf(ctx, id)).toEqual(paused);

  await ctx.sql.query(`UPDATE model.wallets SET plan = 'PAID' WHERE workspace_id = $1`, [
    ctx.scope.workspaceId,
  ]);
  await moreCredits(ctx, 9_999);
  await resumeFundedJobs(worker());
  expect(await jobOf(ctx, id)).toMatchObject({ status: 'RUNNING', pauseReason: null });
  await workOn(ctx, id);
  await moreCredits(ctx, 9_999);
  await resumeFundedJobs(worker());
  await workOn(ctx, id);
  expect(await jobOf(ctx, id)).toMatchObject({
    status: 'COMPLETED',
    processed: 3_000,
    attempts: 3_000,
    creditsCharged: 3_000 * BUYER_CREDITS,
  });
  expect([...(await resultRows(ctx, id)).keys()].sort()).toEqual(ids);
  await expectSound(ctx, id);
}, 60_000);

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
