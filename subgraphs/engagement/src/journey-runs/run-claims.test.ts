import { beforeEach, describe, expect, test } from '@jest/globals';
import { addMs, HOUR_MS, MINUTE_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { useServices } from '@loyalty/test/harness/services';
import type { ClaimedRun } from './run.ts';
import { enter, givenJourney, graphOfNodes, movingContext, runsOf } from './runs.fixture.ts';
import { claimRuns, endClaims, failRuns, lockClaimed, writeMoves } from './runs.store.ts';

const { services, ctx } = useServices();

// Runs of earlier tests would be claimed, too.
beforeEach(() => ctx.sql.query('UPDATE engagement.journey_runs SET due_at = NULL'));

describe('a worker whose run was taken by another one', () => {
  const writes: Record<string, (run: ClaimedRun) => Promise<unknown>> = {
    'does not give it back': (run) =>
      endClaims(ctx, [{ ...run, dueAt: addMs(services.clock.now(), HOUR_MS) }]),
    'does not give it up': (run) => failRuns(ctx, [run]),
    'does not move it': async ({ id, claim }) => {
      const [run] = await runsOf(ctx, journeyId);
      const now = services.clock.now();
      const moved = {
        ...run!,
        id,
        claim,
        journeyId,
        status: 'COMPLETED',
        dueAt: null,
        endedAt: now,
      } as const;
      const rest = { arrivedAt: now, enteredAt: now, step: 1, trigger: {}, sentNodes: [] };
      await writeMoves(ctx, [{ ...moved, ...rest }], []);
    },
  };
  let journeyId: string;
  let stale: ClaimedRun;
  let current: ClaimedRun;
  beforeEach(async () => {
    journeyId = await givenJourney(ctx, graphOfNodes([{ id: 'x', type: 'exit' }]));
    await enter(ctx, journeyId, [newId(services.clock)]);
    const worker = movingContext(services);
    [stale] = (await claimRuns(worker, 1)) as [ClaimedRun];
    services.clock.advance(MINUTE_MS);
    [current] = (await claimRuns(worker, 1)) as [ClaimedRun];
    expect(current).toMatchObject({ id: stale.id, claims: 2 });
  });

  test.each(Object.entries(writes))('%s', async (_, write) => {
    const before = await runsOf(ctx, journeyId);
    await write(stale);
    expect(await runsOf(ctx, journeyId)).toEqual(before);
    await write(current);
    expect(await runsOf(ctx, journeyId)).not.toEqual(before);
  });

  test('does not get it to move it', async () => {
    expect(await ctx.transaction((tx) => lockClaimed(tx, [stale]))).toEqual([]);
    expect(await ctx.transaction((tx) => lockClaimed(tx, [current]))).toMatchObject([{ id: stale.id }]);
  });
});
