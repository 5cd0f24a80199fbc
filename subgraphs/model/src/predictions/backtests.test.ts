import { beforeEach, describe, expect, test } from '@jest/globals';
import { addMs, DAY_MS, MINUTE_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import { givenMembers } from '../bulk-jobs/bulk-jobs.fixture.ts';
import { call, given } from '../capabilities/capabilities.fixture.ts';
import type { EventFact } from '../facts/fact.ts';
import { daysAgo, memberId, orders } from '../facts/facts.fixture.ts';
import { appendFacts } from '../facts/facts.service.ts';
import { seededRandom } from '../numerics/seeded-random.ts';
import { findFits } from '../standard-model/fits.service.ts';
import { backtestOf, type JudgedBuyer } from './backtest.ts';
import { refitBacktest } from './backtests.service.ts';

const { services } = useServices();
beforeEach(() => services.clock.set('2026-03-02T10:00:00.000Z'));

const newContext = (mode: 'LIVE' | 'TEST' = 'LIVE'): Context => contextOf(services, callerOf({ mode }));

async function backtest(ctx: Context, membersMax?: number) {
  await refitBacktest(ctx, membersMax);
  return (await findFits(ctx, ['BACKTEST'])).BACKTEST!.content;
}

const bought = (ctx: Context, id: string, ...days: readonly number[]) =>
  orders(
    ctx,
    days.map((day) => ({ memberId: id, at: daysAgo(ctx, day) })),
  );

/** Creates members without facts. */
const members = (ctx: Context, count: number) => givenMembers(ctx, count, { buyers: 0 });

/** Records three views within a minute on each of these days. */
const visited = (ctx: Context, id: string, ...days: readonly number[]) =>
  ctx.transaction(async (tx) => {
    const facts = days.flatMap((day) =>
      [0, 1, 2].map(
        (view): EventFact => ({
          ...{ externalId: memberId(), memberId: id, type: 'view', itemId: null, value: null },
          occurredAt: addMs(daysAgo(ctx, day), view * MINUTE_MS),
        }),
      ),
    );
    await appendFacts(tx, 'EVENTS', facts);
  });

describe('the members of a window that closed yesterday', () => {
  test('are browsers and buyers by what was known 31 days ago, and counted by what they bought since', async () => {
    const ctx = newContext();
    const ids = await members(ctx, 8);
    // Two browsers, of whom one buys in the window; one buys today, which is not over yet.
    await visited(ctx, ids[0]!, 45, 40);
    await bought(ctx, ids[0]!, 10);
    await visited(ctx, ids[1]!, 40);
    await bought(ctx, ids[1]!, 0);
    // A view after the cutoff makes nobody a browser; a purchase before the cutoff makes nobody a buyer of
    // the window.
    await visited(ctx, ids[2]!, 20);
    await bought(ctx, ids[3]!, 90);
    await bought(ctx, ids[4]!, 70, 31);
    await bought(ctx, ids[5]!, 80, 30);
    const content = await backtest(ctx);
    const day = Math.floor(ctx.clock.now().getTime() / DAY_MS);
    expect(content).toMatchObject({
      cutoffDay: day - 31,
      horizonDays: 30,
      browsers: { members: 2, bought: 1 },
      bestBuyers: { members: 0, bought: 0 },
      skill: null,
    });
    // At the end of the cutoff's day, 13:59:58 later than the last view: 8.58 and 8.58 days.
    const weight = (sessions: number, idle: number) => Math.sqrt(1 + sessions) / (1 + idle / 14);
    const idle = 9 + (14 * 60 - 2) / (24 * 60);
    expect(content!.browsers.meanWeight).toBeCloseTo((weight(2, idle) + weight(1, idle)) / 2, 9);
  });

  test('are none where nothing was bought 28 days before the cutoff', async () => {
    const ctx = newContext();
    const [late, early] = await members(ctx, 2);
    await bought(ctx, late!, 58, 3);
    expect(await backtest(ctx)).toBeNull();
    await bought(ctx, early!, 59);
    expect(await backtest(ctx)).not.toBeNull();
  });

  test('are those of one workspace and mode', async () => {
    const [live, sandbox] = [newContext(), newContext('TEST')];
    const [buyer, browser] = await members(live, 2);
    await bought(live, buyer!, 90);
    await visited(live, browser!, 40);
    await visited(sandbox, (await members(sandbox, 1))[0]!, 40);
    expect((await backtest(live))!.browsers.members).toBe(1);
    expect(await backtest(sandbox)).toBeNull();
  });

  test('leave out members whose processing is restricted', async () => {
    const ctx = newContext();
    const [buyer, free, restricted] = [
      await given.member(ctx),
      await given.member(ctx),
      await given.member(ctx),
    ];
    await bought(ctx, buyer, 90);
    for (const id of [free, restricted]) await visited(ctx, id, 40);
    await given.restricted(ctx, restricted);
    expect((await backtest(ctx))!.browsers.members).toBe(1);
  });

  test('are a part of the members of a large workspace, the same each time', async () => {
    const ctx = newContext();
    const [buyer, ...browsers] = await members(ctx, 61);
    await bought(ctx, buyer!, 90);
    for (const id of browsers) await visited(ctx, id, 40);
    const part = await backtest(ctx, 20);
    expect(part!.browsers.members).toBeGreaterThan(4);
    expect(part!.browsers.members).toBeLessThan(45);
    expect(await backtest(ctx, 20)).toEqual(part);
  });
});

describe('skill', () => {
  const about = { cutoffDay: 20_000, horizonDays: 30 };
  const buyers = (chanceOf: (score: number) => number, size = 400): JudgedBuyer[] => {
    const random = seededRandom(9);
    return Array.from({ length: size }, (_, place) => {
      const score = random();
      return { memberId: `m${place}`, score, hasBought: random() < chanceOf(score) };
    });
  };

  test('is seen where scores say who buys', () => {
    const { skill, bestBuyers } = backtestOf(
      about,
      [],
      buyers((score) => score),
    );
    expect(skill!.low).toBeGreaterThan(0.7);
    expect(skill!.auc).toBeGreaterThan(skill!.low);
    expect(skill!.high).toBeGreaterThan(skill!.auc);
    expect(bestBuyers.members).toBe(40);
    expect(bestBuyers.bought).toBeGreaterThan(34);
  });

  test('is not seen where anybody may buy', () => {
    expect(
      backtestOf(
        about,
        [],
        buyers(() => 0.5),
      ).skill!.low,
    ).toBeLessThanOrEqual(0.5);
  });

  test.each([
    ['99 buyers', 99, 0.5],
    ['too few who bought', 400, 0.02],
    ['too few who did not', 400, 0.98],
  ])('is not judged by %s', (_, size, chance) => {
    expect(
      backtestOf(
        about,
        [],
        buyers(() => chance, size),
      ).skill,
    ).toBeNull();
  });
});

test('a workspace whose members all buy alike says so in the state of each, from the next night on', async () => {
  const ctx = newContext();
  const random = seededRandom(4);
  const ids = await members(ctx, 140);
  const days = ids.flatMap((id) =>
    Array.from({ length: 200 }, (_, day) => day)
      .filter(() => random() < 1 / 25)
      .map((day) => ({ memberId: id, at: daysAgo(ctx, day) })),
  );
  await orders(ctx, days);
  const buyer = await given.buyer(ctx);
  const limitations = async () => {
    const { data } = await call(contextOf(services, ctx.caller), 'model_get_consumer_state', {
      member_id: buyer,
    });
    return data.callCapability.envelope.limitations;
  };
  expect(await limitations()).not.toContain('LOW_SKILL_HERE');
  const { skill } = (await backtest(ctx))!;
  expect(skill!.low).toBeLessThanOrEqual(0.5);
  expect(await limitations()).toContain('LOW_SKILL_HERE');
});
