import { describe, expect, test } from '@jest/globals';
import { addMs } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { useServices } from '@loyalty/test/harness/services';
import { BUYER_CREDITS, expectSound, givenBroken, givenCredits, givenStatus } from './bulk-faults.fixture.ts';
import {
  act,
  givenJob,
  givenMembers,
  jobOf,
  passTime,
  resultRows,
  scanAll,
  stateRows,
  workerContext,
  workOff,
} from './bulk-jobs.fixture.ts';

const { services, newContext } = useServices();
const worker = () => workerContext(services);

/** Works until only members that failed three times are left. */
async function workOffAll(ctx: Context): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await workOff(worker());
    await passTime(ctx);
  }
  await workOff(worker());
}

const chunksOf = (ctx: Context, jobId: string) =>
  ctx.sql.query<{ number: number; afterId: string; toId: string }>(
    `SELECT number, after_id, to_id FROM model.bulk_chunks
      WHERE workspace_id = $1 AND job_id = $2 ORDER BY number`,
    [ctx.scope.workspaceId, jobId],
  );

describe('chunks', () => {
  test('of 1,000 members follow each other without a gap, the last one smaller', async () => {
    const ctx = newContext({ mode: 'TEST' });
    const ids = await givenMembers(ctx, 2_500);
    const id = await givenJob(ctx);
    await scanAll(worker());
    expect(await chunksOf(ctx, id)).toEqual([
      { number: 1, afterId: '00000000-0000-0000-0000-000000000000', toId: ids[999] },
      { number: 2, afterId: ids[999], toId: ids[1_999] },
      { number: 3, afterId: ids[1_999], toId: ids[2_499] },
    ]);
    expect(await jobOf(ctx, id)).toMatchObject({ status: 'RUNNING', total: 2_500, processed: 0 });
    await workOff(worker());
    expect(await expectSound(ctx, id)).toMatchObject({ succeeded: 2_500 });
  });

  test.each([0, 1, 1_000, 1_001])('%d members are all processed, each once', async (count) => {
    const ctx = newContext({ mode: 'TEST' });
    const ids = await givenMembers(ctx, count);
    const id = await givenJob(ctx);
    await workOff(worker());
    expect(await jobOf(ctx, id)).toMatchObject({ status: 'COMPLETED', processed: count, total: count });
    expect(await chunksOf(ctx, id)).toHaveLength(Math.ceil(count / 1_000));
    expect([...(await resultRows(ctx, id)).keys()].sort()).toEqual(ids);
    await expectSound(ctx, id);
  });

  test('leave out members who came after the cutoff, or who may not be analysed', async () => {
    const ctx = newContext({ mode: 'TEST' });
    const ids = await givenMembers(ctx, 8);
    const later = addMs(ctx.clock.now(), 1).toISOString();
    await givenStatus(ctx, ids[0]!, `created_at = '${later}'`);
    await givenStatus(ctx, ids[1]!, 'is_restricted = true');
    await givenStatus(ctx, ids[2]!, `status = 'DELETED'`);
    await givenStatus(ctx, ids[3]!, `status = 'DEACTIVATION_PENDING'`);
    await givenStatus(ctx, ids[4]!, `status = 'INACTIVE'`);
    await givenStatus(ctx, ids[5]!, `status = 'UNSUBSCRIBED'`);
    const id = await givenJob(ctx);
    await workOff(worker());
    expect([...(await resultRows(ctx, id)).keys()].sort()).toEqual(ids.slice(5));
    expect([...(await stateRows(ctx)).keys()].sort()).toEqual(ids.slice(5));
    expect(await jobOf(ctx, id)).toMatchObject({ status: 'COMPLETED', processed: 3, total: 3 });
    await expectSound(ctx, id);
  });

  test('know nothing of members of another workspace or mode', async () => {
    const ctx = newContext();
    await givenCredits(ctx, 10_000);
    const sandbox = newContext({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' });
    const own = await givenMembers(ctx, 3);
    const others = newContext({ mode: 'TEST' });
    await givenMembers(sandbox, 4);
    await givenMembers(others, 5);
    const id = await givenJob(ctx);
    await workOff(worker());
    expect([...(await resultRows(ctx, id)).keys()].sort()).toEqual(own);
    expect([...(await stateRows(ctx)).keys()].sort()).toEqual(own);
    expect((await stateRows(others)).size).toBe(0);
    await expectSound(ctx, id);
  });
});

describe('members that cannot be scored', () => {
  test('are tried three times, alone, and have failed then; the others are charged once', async () => {
    const ctx = newContext();
    const ids = await givenMembers(ctx, 1_200, { buyers: 1_190 });
    const broken = ids.filter((_, index) => index % 100 === 7);
    await givenBroken(ctx, broken);
    const id = await givenJob(ctx);
    await workOff(worker());
    expect(await jobOf(ctx, id)).toMatchObject({
      status: 'RUNNING',
      processed: 1_188,
      succeeded: 1_178,
      unavailable: 10,
      failed: 0,
      attempts: 1_200,
    });
    await expectSound(ctx, id);
    await passTime(ctx);
    await workOff(worker());
    expect(await jobOf(ctx, id)).toMatchObject({ processed: 1_188, attempts: 1_212 });
    await passTime(ctx);
    await workOff(worker());
    expect(await jobOf(ctx, id)).toMatchObject({
      status: 'COMPLETED_WITH_ERRORS',
      processed: 1_200,
      succeeded: 1_178,
      unavailable: 10,
      failed: 12,
      attempts: 1_224,
      creditsCharged: 1_178 * BUYER_CREDITS,
    });
    const results = await resultRows(ctx, id);
    for (const each of ids) {
      expect(results.get(each)?.attempts).toBe(broken.includes(each) ? 3 : 1);
    }
    expect([...(await stateRows(ctx)).keys()].filter((each) => broken.includes(each))).toEqual([]);
    await expectSound(ctx, id);
  });

  test('that can be scored at the second attempt have succeeded', async () => {
    const ctx = newContext();
    const ids = await givenMembers(ctx, 40);
    await givenBroken(ctx, ids.slice(0, 10));
    const id = await givenJob(ctx);
    await workOff(worker());
    await givenBroken(ctx, ids.slice(0, 6), false);
    await passTime(ctx);
    await workOff(worker());
    expect(await expectSound(ctx, id)).toMatchObject({ succeeded: 36, failed: 0, attempts: 50 });
    await givenBroken(ctx, ids, false);
    await workOffAll(ctx);
    expect(await jobOf(ctx, id)).toMatchObject({ status: 'COMPLETED', succeeded: 40, attempts: 54 });
    await expectSound(ctx, id);
  });

  test('keep the state that they had', async () => {
    const ctx = newContext({ mode: 'TEST' });
    const ids = await givenMembers(ctx, 5);
    const first = await givenJob(ctx);
    await workOff(worker());
    await givenBroken(ctx, ids.slice(0, 2));
    services.clock.advance(1_000);
    const second = await givenJob(ctx);
    await workOffAll(ctx);
    const states = await stateRows(ctx);
    expect(ids.map((each) => states.get(each))).toEqual([first, first, second, second, second]);
    expect(await jobOf(ctx, second)).toMatchObject({ failed: 2, succeeded: 3 });
  });
});

describe('a retry', () => {
  async function failedJob(ctx: Context, broken = 4) {
    const ids = await givenMembers(ctx, 20, { buyers: 18 });
    await givenBroken(ctx, ids.slice(0, broken));
    const id = await givenJob(ctx);
    await workOffAll(ctx);
    expect(await jobOf(ctx, id)).toMatchObject({ failed: broken, attempts: 20 + 2 * broken });
    return { ids, id };
  }

  test('tries the failed members only, three times more, and counts each member once', async () => {
    const ctx = newContext();
    const { ids, id } = await failedJob(ctx);
    await givenBroken(ctx, ids.slice(0, 3), false);
    expect((await act(ctx, 'retryBulkJob', id)).data.retryBulkJob).toMatchObject({
      status: 'RUNNING',
      processed: 20,
      failed: 4,
      finishedAt: null,
    });
    await workOffAll(ctx);
    expect(await jobOf(ctx, id)).toMatchObject({
      status: 'COMPLETED_WITH_ERRORS',
      processed: 20,
      succeeded: 17,
      unavailable: 2,
      failed: 1,
      attempts: 28 + 4 + 2,
      creditsCharged: 17 * BUYER_CREDITS,
    });
    const results = await resultRows(ctx, id);
    expect(ids.slice(0, 5).map((each) => results.get(each))).toEqual([
      ...[0, 1, 2].map(() => ({ status: 'SUCCEEDED', attempts: 4 })),
      { status: 'FAILED', attempts: 6 },
      { status: 'SUCCEEDED', attempts: 1 },
    ]);
    // Members without enough data were not tried again.
    expect(ids.slice(18).map((each) => results.get(each))).toEqual(
      [0, 1].map(() => ({ status: 'UNAVAILABLE', attempts: 1 })),
    );
    await expectSound(ctx, id);
    await givenBroken(ctx, ids, false);
    await act(ctx, 'retryBulkJob', id);
    await workOffAll(ctx);
    expect(await jobOf(ctx, id)).toMatchObject({ status: 'COMPLETED', failed: 0, succeeded: 18 });
    await expectSound(ctx, id);
  });

  test('of an older job replaces no state of a newer one', async () => {
    const ctx = newContext();
    const { ids, id } = await failedJob(ctx);
    await givenBroken(ctx, ids.slice(1, 4), false);
    services.clock.advance(60_000);
    const newer = await givenJob(ctx);
    await workOffAll(ctx);
    expect(await jobOf(ctx, newer)).toMatchObject({ status: 'COMPLETED_WITH_ERRORS', failed: 1 });
    await givenBroken(ctx, ids.slice(0, 1), false);
    const before = await statesOf(ctx);
    await act(ctx, 'retryBulkJob', id);
    await workOffAll(ctx);
    const after = await statesOf(ctx);
    // Only the member without a newer state got one by the retry.
    expect(after.filter(({ jobId }) => jobId === id).map(({ id: each }) => each)).toEqual([ids[0]]);
    expect(after.filter(({ id: each }) => each !== ids[0])).toEqual(before);
    expect(await jobOf(ctx, id)).toMatchObject({ status: 'COMPLETED', succeeded: 18, failed: 0 });
    const { credits } = await expectSound(ctx, id, {
      areStatesLatest: false,
    });
    expect(credits).toBe(18 * BUYER_CREDITS);
  });

  test('leaves out a member who was erased or restricted since', async () => {
    const ctx = newContext({ mode: 'TEST' });
    const { ids, id } = await failedJob(ctx);
    await givenBroken(ctx, ids, false);
    await givenStatus(ctx, ids[0]!, 'is_restricted = true');
    await act(ctx, 'retryBulkJob', id);
    await workOffAll(ctx);
    expect(await jobOf(ctx, id)).toMatchObject({ status: 'COMPLETED_WITH_ERRORS', failed: 1, processed: 20 });
    expect((await stateRows(ctx)).has(ids[0]!)).toBe(false);
    await expectSound(ctx, id);
    await givenStatus(ctx, ids[0]!, 'is_restricted = false');
    await act(ctx, 'retryBulkJob', id);
    await workOffAll(ctx);
    expect(await jobOf(ctx, id)).toMatchObject({ status: 'COMPLETED', failed: 0, processed: 20 });
    await expectSound(ctx, id);
  });
});

const statesOf = (ctx: Context) =>
  ctx.sql.query<{ id: string; jobId: string; cutoff: Date; updatedAt: Date }>(
    `SELECT member_id AS id, job_id, source_cutoff AS cutoff, updated_at
       FROM model.member_states WHERE workspace_id = $1 ORDER BY member_id`,
    [ctx.scope.workspaceId],
  );
