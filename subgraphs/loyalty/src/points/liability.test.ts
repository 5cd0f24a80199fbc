import { expect, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { createContext } from '@loyalty/platform/database/create-context';
import { consume } from '@loyalty/test/harness/consume';
import { useServices } from '@loyalty/test/harness/services';
import { ask, given } from '../loyalty.fixture.ts';
import { eraseDueMembers, requestErasure } from '../member-status/member-status.service.ts';
import { updateProgram } from '../tiers/programs.service.ts';
import { spendPoints } from './booking.service.ts';
import { expirePoints } from './due-lots.service.ts';
import { countProgramConsumer, sumLiabilityJob } from './points.jobs.ts';
import { awardPoints } from './points.service.ts';

const START = '2026-03-31T22:30:00.000Z';
const { services, newContext, fresh } = useServices({ at: START });

const product = () => createContext(services, { caller: systemCaller('test'), requestId: 'test' });
const sum = () => sumLiabilityJob.run(product(), {});

const READ = `query ($from: Date, $to: Date) {
  pointsLiability {
    takenAt outstanding pending neverExpiring redemptionRate expiryRate
    byExpiryMonth { month outstanding }
    byTier { tier { name } outstanding pending }
    days(from: $from, to: $to) { date outstanding pending }
  }
}`;
const read = async (ctx: Context, days: { from?: string; to?: string } = {}) =>
  (await ask(ctx, READ, days)).pointsLiability;

const spend = (ctx: Context, memberId: string, points: number) =>
  ctx.transaction((tx) => spendPoints(tx, { memberId, points, description: 'coupon', source: 'test:1' }));

test('sums what can be spent and what waits, by month of expiry and by tier', async () => {
  const ctx = newContext();
  expect(await read(ctx)).toBeNull();
  await given.tiers(ctx, { Bronze: 50 });
  const [rich, poor] = [await given.member(ctx), await given.member(ctx)];
  await awardPoints(ctx, poor.id, { amount: 10 });
  await updateProgram(ctx, { pointsExpireAfterDays: 10 });
  await awardPoints(ctx, rich.id, { amount: 100 });
  await updateProgram(ctx, { pointsExpireAfterDays: 40 });
  await awardPoints(ctx, rich.id, { amount: 60 });
  await spend(fresh(ctx.caller), rich.id, 30);
  await updateProgram(ctx, { pointsPendingDays: 14 });
  await awardPoints(ctx, poor.id, { amount: 7 });
  await consume(ctx, countProgramConsumer);
  await sum();
  expect(await read(ctx, { from: '2026-03-30' })).toEqual({
    takenAt: START,
    outstanding: 140,
    pending: 7,
    neverExpiring: 10,
    redemptionRate: 30 / 170,
    expiryRate: 0,
    byExpiryMonth: [
      { month: '2026-04-01', outstanding: 70 },
      { month: '2026-05-01', outstanding: 60 },
    ],
    byTier: [
      { tier: { name: 'Bronze' }, outstanding: 130, pending: 0 },
      { tier: null, outstanding: 10, pending: 7 },
    ],
    days: [{ date: '2026-03-31', outstanding: 140, pending: 7 }],
  });
});

test('months and days are those of the time zone of the workspace', async () => {
  const ctx = newContext();
  await ctx.sql.query('INSERT INTO workspace.workspaces (id, name, time_zone) VALUES ($1, $2, $3)', [
    ctx.scope.workspaceId,
    'Somewhere',
    'Europe/Lisbon',
  ]);
  await updateProgram(ctx, { pointsExpireAfterDays: 30 });
  await awardPoints(ctx, (await given.member(ctx)).id, { amount: 5 });
  services.clock.advance(HOUR_MS);
  await awardPoints(ctx, (await given.member(ctx)).id, { amount: 3 });
  await sum();
  // 22:30 and 23:30 in UTC are half an hour before and after midnight in Lisbon's summer.
  expect(await read(ctx, { from: '2026-03-31' })).toMatchObject({
    byExpiryMonth: [
      { month: '2026-04-01', outstanding: 5 },
      { month: '2026-05-01', outstanding: 3 },
    ],
    days: [{ date: '2026-04-01', outstanding: 8 }],
  });
  services.clock.set(START);
});

test('sums are made again after points changed, 15 minutes later, and otherwise every 6 hours', async () => {
  const ctx = newContext();
  const { id } = await given.member(ctx);
  await awardPoints(ctx, id, { amount: 1 });
  await consume(ctx, countProgramConsumer);
  await sum();
  const takenAfter = async (ms: number) => {
    services.clock.advance(ms);
    await sum();
    const { takenAt } = await read(ctx);
    return (Date.parse(takenAt) - services.clock.now().getTime()) / MINUTE_MS;
  };
  await awardPoints(ctx, id, { amount: 2 });
  await consume(ctx, countProgramConsumer);
  expect(await takenAfter(14 * MINUTE_MS)).toBe(-14);
  expect(await takenAfter(MINUTE_MS)).toBe(0);
  expect((await read(ctx)).outstanding).toBe(3);
  expect(await takenAfter(5 * HOUR_MS)).toBe(-300);
  expect(await takenAfter(HOUR_MS)).toBe(0);
  services.clock.set(START);
});

test('what expired and whom the workspace erased is owed no more', async () => {
  const ctx = newContext();
  await updateProgram(ctx, { pointsExpireAfterDays: 2 });
  const [leaving, staying] = [await given.member(ctx), await given.member(ctx)];
  await awardPoints(ctx, leaving.id, { amount: 40 });
  await awardPoints(ctx, staying.id, { amount: 9 });
  await requestErasure(fresh(ctx.caller), leaving.id);
  await sum();
  services.clock.advance(2 * DAY_MS);
  await expirePoints(product());
  await consume(ctx, countProgramConsumer);
  await sum();
  expect(await read(ctx)).toMatchObject({ outstanding: 40, expiryRate: 9 / 49 });
  services.clock.advance(40 * DAY_MS);
  await eraseDueMembers(product());
  await sum();
  const after = await read(ctx, { from: '2026-03-31', to: '2026-05-31' });
  expect(after).toMatchObject({ outstanding: 0, pending: 0, byTier: [], byExpiryMonth: [] });
  expect(after.days.map(({ outstanding }: { outstanding: number }) => outstanding)).toEqual([49, 40, 0]);
  services.clock.set(START);
});

test('an earlier sum that ends later changes nothing; test mode and other workspaces have their own', async () => {
  const ctx = newContext();
  const { id } = await given.member(ctx);
  await awardPoints(ctx, id, { amount: 6 });
  await sum();
  await awardPoints(ctx, id, { amount: 6 });
  services.clock.advance(-MINUTE_MS);
  await Promise.all([sum(), sum()]);
  expect((await read(ctx)).outstanding).toBe(6);
  services.clock.set(START);
  for (const other of [newContext(), fresh({ mode: 'TEST', workspaceId: ctx.scope.workspaceId })])
    expect(await read(other)).toBeNull();
});

test('is read in four statements, whatever the number of tiers', async () => {
  const ctx = newContext();
  await given.tiers(ctx, { A: 1, B: 10, C: 100 });
  for (const amount of [2, 20, 200]) await awardPoints(ctx, (await given.member(ctx)).id, { amount });
  await sum();
  services.statements.length = 0;
  expect((await read(ctx)).byTier).toHaveLength(3);
  expect(services.statements.filter((text) => text.includes('loyalty.'))).toHaveLength(4);
});
