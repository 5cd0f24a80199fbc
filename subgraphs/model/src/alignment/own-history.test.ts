import { expect, test } from '@jest/globals';
import { DAY_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { useServices } from '@loyalty/test/harness/services';
import { givenMembers } from '../bulk-jobs/bulk-jobs.fixture.ts';
import { orders } from '../facts/facts.fixture.ts';
import { alignedScores } from './aligned-scores.service.ts';
import { FIRST_DAY, lapsingMembers } from './generated-histories.fixture.ts';
import { labeledHistory, ownHistoryAlignment, proposedAlignment } from './own-history.service.ts';

const DAYS = 400;
const { ctx, services } = useServices({
  at: new Date((FIRST_DAY + DAYS + 1) * DAY_MS + 3_600_000).toISOString(),
});
const watch = { signal: new AbortController().signal, onProgress: () => undefined };

/** Creates members with the orders of a known process, each at noon. */
async function givenBuyers(of: Context, members: number): Promise<string[]> {
  const { histories } = lapsingMembers({ members, days: DAYS, seed: 8 });
  const ids = await givenMembers(of, members, { buyers: 0 });
  const all = histories.flatMap(({ purchaseDays }, member) =>
    purchaseDays.map((day) => ({ memberId: ids[member]!, at: new Date((day + 0.5) * DAY_MS) })),
  );
  for (let from = 0; from < all.length; from += 2_000) await orders(of, all.slice(from, from + 2_000));
  return ids;
}

test('own facts make a proposal with an artifact that scores members', async () => {
  const ids = await givenBuyers(ctx, 700);
  const steps: string[] = [];
  const outcome = await proposedAlignment(ctx, 'purchase', 30, {
    onProgress: ({ step }) => steps.push(step),
  });
  expect(outcome).toMatchObject({ passed: true, artifact: { kind: 'ALIGNMENT', subject: 'purchase' } });
  expect(steps.at(-1)).toBe('Writing the report');
  const [scores] = await alignedScores(ctx, [outcome!.artifact], ids.slice(0, 50), services.clock.now());
  const given = scores!.flatMap((each) =>
    each?.score === undefined || each.score === null ? [] : [each.score],
  );
  expect(given.length).toBeGreaterThan(40);
  expect(given.every((each) => each > 0 && each < 1)).toBe(true);
  const again = await ownHistoryAlignment(ctx, 'purchase', 30);
  expect(again!.fingerprint).toBe(outcome!.fingerprint);
});

test('restricted members are left out, and orders of today are no labels', async () => {
  const ids = await givenBuyers(ctx, 700);
  await ctx.sql.query('UPDATE loyalty.members SET is_restricted = true WHERE id = $1', [ids[0]!]);
  const history = await labeledHistory(ctx, 'churn', 30, watch);
  expect(history!.memberIds).toHaveLength(699);
  expect(history!.memberIds).not.toContain(ids[0]);
  expect(history!.windows[0]!.labelEndDay).toBe(FIRST_DAY + DAYS);
});

test('a workspace with few members or no history has nothing to propose', async () => {
  expect(await proposedAlignment(ctx, 'purchase', 30)).toBeNull();
  await givenBuyers(ctx, 20);
  expect(await ownHistoryAlignment(ctx, 'purchase', 30)).toBeNull();
});

test('an aborted proposal ends with the reason of its signal', async () => {
  await givenBuyers(ctx, 700);
  const stop = new AbortController();
  const work = ownHistoryAlignment(ctx, 'purchase', 30, {
    signal: stop.signal,
    onProgress: ({ step }) => step === 'Fitting the head' && stop.abort(new Error('cancelled')),
  });
  await expect(work).rejects.toThrow('cancelled');
});
