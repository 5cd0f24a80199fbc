import { describe, expect, test } from '@jest/globals';
import type { Context } from '@loyalty/platform/context';
import { useServices } from '@loyalty/test/harness/services';
import { forgetMemberJob } from '../member-data.jobs.ts';
import { BUYER_CREDITS, expectSound, givenStatus, slowScorer, systemIn } from './bulk-faults.fixture.ts';
import {
  act,
  givenJob,
  givenMembers,
  jobOf,
  resultRows,
  scanAll,
  stateRows,
  workerContext,
  workOff,
} from './bulk-jobs.fixture.ts';
import { processChunksLoop } from './bulk-jobs.jobs.ts';

const { services, newContext, beforeClose } = useServices();
const worker = () => workerContext(services);

/** Returns a worker whose first call of the model is interrupted by `happens`. */
async function interrupted(happens: () => Promise<unknown>): Promise<Context> {
  const scorer = await slowScorer(async () => {
    if (scorer.calls === 1) await happens();
    return 'ANSWERS';
  });
  beforeClose(scorer.close);
  return workerContext(services, { MODEL_URL_SCORE: scorer.url });
}

async function erase(ctx: Context, memberId: string): Promise<void> {
  await givenStatus(ctx, memberId, `status = 'DELETED'`);
  await forgetMemberJob.run(systemIn(worker(), ctx), { memberId });
}

describe('while the model works,', () => {
  test('a member who is restricted gets no state, no result and no charge', async () => {
    const ctx = newContext();
    const ids = await givenMembers(ctx, 6);
    const id = await givenJob(ctx);
    await workOff(await interrupted(() => givenStatus(ctx, ids[2]!, 'is_restricted = true')));
    const others = ids.filter((each) => each !== ids[2]);
    expect([...(await resultRows(ctx, id)).keys()].sort()).toEqual(others);
    expect([...(await stateRows(ctx)).keys()].sort()).toEqual(others);
    expect(await jobOf(ctx, id)).toMatchObject({
      status: 'COMPLETED',
      processed: 5,
      attempts: 6,
      creditsCharged: 5 * BUYER_CREDITS,
    });
    await expectSound(ctx, id);
  });

  test('a member who is erased leaves no row, whether the job of the erasure ran before or after', async () => {
    const ctx = newContext();
    const ids = await givenMembers(ctx, 6);
    const id = await givenJob(ctx);
    await workOff(await interrupted(() => erase(ctx, ids[2]!)));
    await erase(ctx, ids[4]!);
    const left = ids.filter((each) => each !== ids[2] && each !== ids[4]);
    expect([...(await resultRows(ctx, id)).keys()].sort()).toEqual(left);
    expect([...(await stateRows(ctx)).keys()].sort()).toEqual(left);
    expect(await jobOf(ctx, id)).toMatchObject({ status: 'COMPLETED', processed: 5, attempts: 6 });
    await expectSound(ctx, id, { erased: 1 });
  });

  test('a job that is paused keeps nothing of the call and counts no attempt; resumed, it asks again at once', async () => {
    const ctx = newContext();
    const ids = await givenMembers(ctx, 6);
    const id = await givenJob(ctx);
    await scanAll(worker());
    const remote = await interrupted(() => act(ctx, 'pauseBulkJob', id));
    await processChunksLoop.turn(remote);
    expect(await jobOf(ctx, id)).toMatchObject({ status: 'PAUSED', processed: 0, attempts: 0 });
    expect((await stateRows(ctx)).size).toBe(0);
    await expectSound(ctx, id);
    await act(ctx, 'resumeBulkJob', id);
    await workOff(remote);
    expect(await jobOf(ctx, id)).toMatchObject({ status: 'COMPLETED', processed: 6, attempts: 6 });
    expect([...(await resultRows(ctx, id)).keys()].sort()).toEqual(ids);
    await expectSound(ctx, id);
  });

  test('a job that is cancelled keeps nothing of the call, and another may begin', async () => {
    const ctx = newContext();
    await givenMembers(ctx, 6);
    const id = await givenJob(ctx);
    await scanAll(worker());
    await processChunksLoop.turn(await interrupted(() => act(ctx, 'cancelBulkJob', id)));
    expect(await jobOf(ctx, id)).toMatchObject({ status: 'CANCELLED', processed: 0, creditsCharged: 0 });
    expect((await stateRows(ctx)).size).toBe(0);
    await expectSound(ctx, id);
    const next = await givenJob(ctx);
    await workOff(worker());
    expect(await jobOf(ctx, next)).toMatchObject({ status: 'COMPLETED', processed: 6 });
    await expectSound(ctx, next);
  });
});

test('forty erasures at once with the writes of eight workers leave nothing of those members', async () => {
  for (let round = 0; round < 6; round += 1) {
    const ctx = newContext({ mode: 'TEST' });
    const ids = await givenMembers(ctx, 1_500);
    const gone = ids.filter((_, index) => index % 37 === round);
    const id = await givenJob(ctx);
    await scanAll(worker());
    await Promise.all([
      ...Array.from({ length: 8 }, () => workOff(worker())),
      ...gone.map((each) => erase(ctx, each)),
    ]);
    await workOff(worker());
    const results = await resultRows(ctx, id);
    const states = await stateRows(ctx);
    expect(gone.filter((each) => results.has(each) || states.has(each))).toEqual([]);
    const left = ids.filter((each) => !gone.includes(each));
    expect([...results.keys()].sort()).toEqual(left);
    expect([...states.keys()].sort()).toEqual(left);
    expect(await jobOf(ctx, id)).toMatchObject({ status: 'COMPLETED', failed: 0 });
    await expectSound(ctx, id, { erased: gone.length });
  }
});
