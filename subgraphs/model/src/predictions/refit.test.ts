import { beforeEach, describe, expect, test } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import { daysAgo, mails, memberId, orders } from '../facts/facts.fixture.ts';
import { seededRandom } from '../numerics/seeded-random.ts';
import { findFits } from '../standard-model/fits.service.ts';
import { refitEmailClicks } from './email-clicks.service.ts';
import { refitWorkspacesJob } from './predictions.jobs.ts';

const { services } = useServices();
beforeEach(() => services.clock.set('2026-03-02T10:00:00.000Z'));

const newContext = (mode: 'LIVE' | 'TEST' = 'LIVE'): Context => contextOf(services, callerOf({ mode }));
const refit = () => refitWorkspacesJob.run(contextOf(services), {});
const fitsOf = (ctx: Context) => findFits(ctx, ['INTERVALS', 'EMAIL_CLICKS', 'ITEM_POPULARITY']);

/** Creates members who order at these intervals, in days; each list holds the intervals of one member. */
const buyers = (ctx: Context, intervals: readonly (readonly number[])[]) =>
  orders(
    ctx,
    intervals.flatMap((days) => {
      const id = memberId();
      const ends = days.map((_, place) => days.slice(0, place + 1).reduce((sum, day) => sum + day, 0));
      return [0, ...ends].map((day) => ({ memberId: id, at: daysAgo(ctx, 300 - day), items: ['tea'] }));
    }),
  );

/** Sends weekly mails: every second member clicks 4 of 10 a day later, the others 1 of 50. */
async function mailed(ctx: Context, { members = 320, sends = 5 } = {}): Promise<string[]> {
  const random = seededRandom(3);
  const ids = Array.from({ length: members }, memberId);
  await mails(
    ctx,
    ids.flatMap((id, member) =>
      Array.from({ length: sends }, (_, week) => {
        const sentAt = daysAgo(ctx, 8 + 7 * week);
        const isClicked = random() < (member % 2 === 0 ? 0.4 : 0.02);
        const clickedAt = isClicked ? new Date(sentAt.getTime() + DAY_MS) : null;
        return { memberId: id, messageId: `week-${week}`, sentAt, clickedAt };
      }),
    ),
  );
  return ids;
}

describe('the pool of intervals', () => {
  test('has the variances within and between members, by their definition', async () => {
    const ctx = newContext();
    const random = seededRandom(5);
    const intervals = Array.from({ length: 40 }, (_, member) =>
      Array.from({ length: 2 + (member % 3) }, () => 5 + Math.floor(random() * (10 + 2 * member))),
    );
    await buyers(ctx, intervals);
    await refit();
    const logs = intervals.map((days) => days.map(Math.log));
    const mean = (numbers: readonly number[]) => numbers.reduce((sum, n) => sum + n, 0) / numbers.length;
    const means = logs.map(mean);
    const squares = logs.flatMap((own, member) => own.map((log) => (log - means[member]!) ** 2));
    const within = squares.reduce((sum, n) => sum + n, 0) / (squares.length - 40);
    const ofMeans = means.reduce((sum, n) => sum + (n - mean(means)) ** 2, 0) / 39;
    const { content } = (await fitsOf(ctx)).INTERVALS!;
    expect(content!.members).toBe(40);
    expect(content!.mean).toBeCloseTo(mean(means), 9);
    expect(content!.varianceWithin).toBeCloseTo(within, 9);
    expect(content!.varianceBetween).toBeCloseTo(
      Math.max(0.01, ofMeans - within * mean(logs.map((own) => 1 / own.length))),
      9,
    );
  });

  test('is none with 29 members of two intervals, and has floors where all buy alike', async () => {
    const ctx = newContext();
    await buyers(ctx, [...Array.from({ length: 29 }, () => [30, 30]), [30]]);
    await refit();
    expect((await fitsOf(ctx)).INTERVALS!.content).toBeNull();
    await buyers(ctx, [[30, 30]]);
    services.clock.advance(DAY_MS);
    await refit();
    const { content } = (await fitsOf(ctx)).INTERVALS!;
    expect(content).toMatchObject({ members: 30, varianceWithin: 0.01, varianceBetween: 0.01 });
  });
});

describe('the night', () => {
  test('fits every workspace and mode by itself', async () => {
    const [live, sandbox] = [newContext(), newContext('TEST')];
    await buyers(
      live,
      Array.from({ length: 30 }, () => [20, 40]),
    );
    await buyers(sandbox, [[20, 40]]);
    await refit();
    expect((await fitsOf(live)).INTERVALS!.content!.members).toBe(30);
    expect((await fitsOf(live)).ITEM_POPULARITY!.content!.lines).toBe(90);
    expect((await fitsOf(sandbox)).INTERVALS!.content).toBeNull();
    expect(await fitsOf(newContext())).toEqual({});
  });

  test('that runs again leaves what it fitted, and the next night fits anew', async () => {
    const ctx = newContext();
    await buyers(ctx, [[20, 40]]);
    await refit();
    const before = await fitsOf(ctx);
    services.clock.advance(HOUR_MS);
    await refit();
    expect(await fitsOf(ctx)).toEqual(before);
    services.clock.advance(DAY_MS);
    await refit();
    expect((await fitsOf(ctx)).INTERVALS!.fittedAt).toEqual(ctx.clock.now());
  });
});

describe('the click model', () => {
  test('is fitted to receipts, and counts a click within 7 days of a mail whose 7 days are over', async () => {
    const ctx = newContext();
    const [first, second] = await mailed(ctx);
    // Sent 6 days ago: not over yet. Sent earlier, but clicked on the eighth day: too late.
    await mails(ctx, [
      { memberId: first!, messageId: 'open', sentAt: daysAgo(ctx, 6), clickedAt: daysAgo(ctx, 5) },
      { memberId: second!, messageId: 'late', sentAt: daysAgo(ctx, 60), clickedAt: daysAgo(ctx, 52) },
    ]);
    await refitEmailClicks(ctx);
    const fit = (await fitsOf(ctx)).EMAIL_CLICKS!.content!;
    if (fit.gap !== null) throw new Error(fit.gap);
    const [clicks] = await ctx.sql.query<{ count: bigint }>(
      `SELECT count(*) FROM model.channel_receipt_facts WHERE workspace_id = $1 AND status = 'CLICKED'`,
      [ctx.scope.workspaceId],
    );
    expect([fit.sends, fit.members]).toEqual([1_601, 320]);
    expect(fit.rates.click).toBeCloseTo((Number(clicks!.count) - 2) / 1_601, 12);
    expect(fit.gainAtLeast).toBeGreaterThan(0);
  });

  test('looks at the latest mails only where there are more than it may', async () => {
    const ctx = newContext();
    await mailed(ctx, { members: 700, sends: 4 });
    await refitEmailClicks(ctx, 1_400);
    const fit = (await fitsOf(ctx)).EMAIL_CLICKS!.content!;
    expect(fit).toMatchObject({ gap: null, sends: 1_400, members: 700 });
    await refitEmailClicks(ctx, 1_050);
    const { sends, members } = (await fitsOf(ctx)).EMAIL_CLICKS!.content as {
      sends: number;
      members: number;
    };
    // Two weeks have 1,400 mails: three of four members are used.
    expect(sends).toBe(2 * members);
    expect(Math.abs(members - 525)).toBeLessThan(60);
  });

  test('is none, with the reason, where there are too few mails', async () => {
    const ctx = newContext();
    await mailed(ctx, { members: 20 });
    await refitEmailClicks(ctx);
    expect((await fitsOf(ctx)).EMAIL_CLICKS!.content).toEqual({ gap: 'TOO_FEW_SENDS' });
  });
});
