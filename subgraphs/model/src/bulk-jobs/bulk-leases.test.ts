import { describe, expect, test } from '@jest/globals';
import { fixedClock, HOUR_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { eventually } from '@loyalty/test/harness/eventually';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { getWallet } from '../credits/wallet.service.ts';
import {
  BUYER_CREDITS,
  claimed,
  expectSound,
  givenChunks,
  slowScorer,
  systemIn,
} from './bulk-faults.fixture.ts';
import { givenJob, givenMembers, jobOf, passTime, workerContext, workOff } from './bulk-jobs.fixture.ts';
import { processChunksLoop, scanBulkJobsLoop } from './bulk-jobs.jobs.ts';
import { claimChunk, claimScan, insertChunks, releaseScan } from './claims.store.ts';
import { processChunk } from './process-chunk.service.ts';
import { scanJob } from './scan.service.ts';

const { services, newContext } = useServices();
const worker = () => workerContext(services);

const dueInSeconds = async (ctx: Context): Promise<number[]> => {
  const rows = await ctx.sql.query<{ due: number }>(
    `SELECT extract(epoch FROM due_at - now())::float8 AS due FROM model.bulk_chunks
      WHERE workspace_id = $1 AND is_open ORDER BY number`,
    [ctx.scope.workspaceId],
  );
  return rows.map(({ due }) => due);
};

/** Moves the database's times back by this many seconds. */
const wait = (ctx: Context, seconds: number) =>
  ctx.sql.query(
    `UPDATE model.bulk_chunks SET due_at = due_at - $2 * interval '1 second' WHERE workspace_id = $1`,
    [ctx.scope.workspaceId, seconds],
  );

describe('a claim', () => {
  test('lasts for 120 seconds; then the chunk goes to another worker', async () => {
    const ctx = newContext();
    const { id } = await givenChunks(worker(), ctx, 1);
    const lost = await claimed(worker());
    expect((await dueInSeconds(ctx))[0]).toBeCloseTo(120, 0);
    await wait(ctx, 118);
    expect(await claimChunk(worker(), 100)).toEqual({ chunk: null, isWaiting: false });
    await wait(ctx, 3);
    const found = await claimed(worker());
    expect(found).toMatchObject({ number: lost.number, token: lost.token + 1 });
    await processChunk(systemIn(worker(), ctx), found);
    expect(await jobOf(ctx, id)).toMatchObject({ status: 'COMPLETED', processed: 5, attempts: 5 });
    await expectSound(ctx, id);
  });

  test('that was lost writes nothing, before and after the other worker wrote, and is charged nothing', async () => {
    const ctx = newContext();
    const { id } = await givenChunks(worker(), ctx, 2);
    const [first, second] = [await claimed(worker()), await claimed(worker())];
    await passTime(ctx);
    const again = [await claimed(worker()), await claimed(worker())];
    await processChunk(systemIn(worker(), ctx), first);
    expect(await jobOf(ctx, id)).toMatchObject({ processed: 0, attempts: 0, creditsCharged: 0 });
    for (const chunk of again) await processChunk(systemIn(worker(), ctx), chunk);
    const done = await jobOf(ctx, id);
    expect(done).toMatchObject({ status: 'COMPLETED', processed: 10, creditsCharged: 10 * BUYER_CREDITS });
    for (const chunk of [first, second, ...again]) await processChunk(systemIn(worker(), ctx), chunk);
    expect(await jobOf(ctx, id)).toEqual(done);
    const wallet = await getWallet(ctx);
    expect([wallet.balance, wallet.reserved]).toEqual([50_000n - 200n, 0n]);
    await expectSound(ctx, id);
  });

  test('that was lost reserves nothing any more once another worker has the chunk, and is charged nothing', async () => {
    const ctx = newContext();
    const { id } = await givenChunks(worker(), ctx, 1);
    const answer = Promise.withResolvers<'ANSWERS'>();
    const scorer = await slowScorer(() => answer.promise);
    const wallet = async () => {
      const { balance, reserved } = await getWallet(contextOf(services, ctx.caller));
      return { balance, reserved };
    };
    // The worker stops in the middle of its work: its reservation stays, as after a kill.
    const lost = processChunk(
      systemIn(workerContext(services, { MODEL_URL_SCORE: scorer.url, MODEL_SCORE_TIMEOUT_MS: 60_000 }), ctx),
      await claimed(worker()),
    );
    await eventually(() => expect(scorer.calls).toBe(1));
    const held = await wallet();
    expect(held).toEqual({ balance: 50_000n, reserved: expect.any(BigInt) });
    expect(held.reserved).toBeGreaterThan(0n);
    await wait(ctx, 121);
    await processChunk(systemIn(worker(), ctx), await claimed(worker()));
    const paid = { balance: 50_000n - BigInt(5 * BUYER_CREDITS), reserved: 0n };
    expect(await wallet()).toEqual(paid);
    answer.resolve('ANSWERS');
    await lost;
    scorer.close();
    expect(await wallet()).toEqual(paid);
    expect(await jobOf(ctx, id)).toMatchObject({ status: 'COMPLETED', creditsCharged: 5 * BUYER_CREDITS });
    await expectSound(ctx, id);
  });

  test('of one chunk is one worker’s, however many ask at once', async () => {
    const ctx = newContext();
    const { id } = await givenChunks(worker(), ctx, 12);
    const claims = await Promise.all(Array.from({ length: 40 }, () => claimChunk(worker(), 100)));
    const numbers = claims.flatMap(({ chunk }) => (chunk?.jobId === id ? chunk.number : []));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers.length).toBeGreaterThan(0);
    await passTime(ctx);
    await Promise.all(Array.from({ length: 8 }, () => workOff(worker())));
    expect(await jobOf(ctx, id)).toMatchObject({ status: 'COMPLETED', processed: 60, attempts: 60 });
    await expectSound(ctx, id);
  });

  test('of a scan that was lost adds nothing; each member is in one chunk', async () => {
    const ctx = newContext({ mode: 'TEST' });
    await givenMembers(ctx, 30);
    const id = await givenJob(ctx);
    const lost = (await claimScan(worker()))!;
    expect(await claimScan(worker())).toBeNull();
    await ctx.sql.query(
      `UPDATE model.bulk_jobs SET scan_due_at = now() - interval '1 second' WHERE workspace_id = $1`,
      [ctx.scope.workspaceId],
    );
    const found = (await claimScan(worker()))!;
    await Promise.all([scanJob(systemIn(worker(), ctx), lost), scanJob(systemIn(worker(), ctx), found)]);
    await workOff(worker());
    expect(await jobOf(ctx, id)).toMatchObject({ status: 'COMPLETED', processed: 30, total: 30 });
    await expectSound(ctx, id);
  });

  test('of a scan that was lost adds nothing while another worker scans, and gives nothing back', async () => {
    const ctx = newContext({ mode: 'TEST' });
    const [memberId] = await givenMembers(ctx, 1);
    await givenJob(ctx);
    const passLease = () =>
      ctx.sql.query(
        `UPDATE model.bulk_jobs SET scan_due_at = now() - interval '1 second' WHERE workspace_id = $1`,
        [ctx.scope.workspaceId],
      );
    const lost = (await claimScan(worker()))!;
    await passLease();
    const found = (await claimScan(worker()))!;
    expect(found).toMatchObject({ jobId: lost.jobId, token: lost.token + 1, claims: 2 });
    const range = { toIds: [memberId!], members: 1, isLast: false };
    expect(await insertChunks(systemIn(worker(), ctx), lost, range)).toBe(false);
    await releaseScan(systemIn(worker(), ctx), lost, 0);
    expect(await claimScan(worker())).toBeNull();
    await releaseScan(systemIn(worker(), ctx), found, 0);
    // Times have milliseconds, so a job that is due now may be due only in half a millisecond.
    const next = await eventually(
      async () => (await claimScan(worker())) ?? Promise.reject(new Error('none')),
    );
    expect(next).toMatchObject({ jobId: lost.jobId, claims: 1 });
    await passLease();
    await workOff(worker());
  });

  test('is the same for workers whose clocks are hours apart', async () => {
    const ctx = newContext();
    const { id } = await givenChunks(worker(), ctx, 6);
    const at = (hours: number) =>
      workerContext({
        ...services,
        clock: fixedClock(new Date(services.clock.now().getTime() + hours * HOUR_MS)),
      });
    const [early, late] = [at(-6), at(6)];
    const held = await claimed(early);
    // To a clock six hours ahead the lease seems expired; to one behind it never expires.
    await workOff(late);
    expect(await jobOf(ctx, id)).toMatchObject({ status: 'RUNNING', processed: 25 });
    await passTime(ctx);
    await workOff(early);
    expect(await jobOf(ctx, id)).toMatchObject({ status: 'COMPLETED', processed: 30, attempts: 30 });
    await processChunk(systemIn(late, ctx), held);
    expect(await jobOf(ctx, id)).toMatchObject({ processed: 30, attempts: 30 });
    await expectSound(ctx, id);
  });

  test('that died with the last write leaves a job that another worker ends', async () => {
    const ctx = newContext({ mode: 'TEST' });
    const { id } = await givenChunks(worker(), ctx, 1);
    await ctx.sql.query('UPDATE model.bulk_chunks SET is_open = false WHERE workspace_id = $1', [
      ctx.scope.workspaceId,
    ]);
    expect(await jobOf(ctx, id)).toMatchObject({ status: 'RUNNING' });
    await scanBulkJobsLoop.turn(worker());
    expect(await jobOf(ctx, id)).toMatchObject({ status: 'COMPLETED' });
  });
});

describe('the budget of calls', () => {
  const now = async (ctx: Context): Promise<number> => {
    const [row] = await ctx.sql.query<{ at: number }>(
      'SELECT extract(epoch FROM clock_timestamp())::float8 AS at',
    );
    return row!.at;
  };

  test.each([2, 100])(
    'of %d a second is one for all workers, with a burst of one second at most',
    async (rate) => {
      const ctx = newContext({ mode: 'TEST' });
      await givenChunks(worker(), ctx, 1);
      await ctx.sql.query(`UPDATE model.rate_budgets SET tokens = 0, updated_at = now() - interval '1 hour'`);
      const startedAt = await now(ctx);
      // The budget of one second is available at once.
      let granted = 0;
      for (; granted < rate; granted += 1) {
        expect((await claimChunk(worker(), rate)).chunk).not.toBeNull();
        await passTime(ctx);
      }
      const claimAll = async () => {
        while ((await now(ctx)) - startedAt < 2.5) {
          if ((await claimChunk(worker(), rate)).chunk) granted += 1;
          await passTime(ctx);
        }
      };
      await Promise.all(Array.from({ length: 8 }, claimAll));
      const seconds = (await now(ctx)) - startedAt;
      expect(granted).toBeLessThanOrEqual(rate * seconds + rate);
    },
  );

  test('is not spent while there is nothing to do', async () => {
    const ctx = newContext({ mode: 'TEST' });
    await ctx.sql.query(`UPDATE model.bulk_jobs SET finished_at = now() WHERE finished_at IS NULL`);
    const tokens = () => ctx.sql.query('SELECT tokens FROM model.rate_budgets');
    const before = await tokens();
    expect(await processChunksLoop.turn(worker())).toBe(1_000);
    expect(await tokens()).toEqual(before);
  });
});
