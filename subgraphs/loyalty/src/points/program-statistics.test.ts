import { expect, test } from '@jest/globals';
import { DAY_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { consume } from '@loyalty/test/harness/consume';
import { useServices } from '@loyalty/test/harness/services';
import { ask, given } from '../loyalty.fixture.ts';
import { countProgramConsumer } from './points.jobs.ts';
import { adjustPoints, awardPoints } from './points.service.ts';
import { countImported } from './program-statistics.service.ts';
import { reversePoints } from './reversals.service.ts';

const { services, newContext, fresh } = useServices({ at: '2026-03-10T10:00:00.000Z' });

const SERIES = `query ($from: Date, $to: Date) {
  programStatistics(from: $from, to: $to) { series { date joined issued spent expired withdrawn } }
}`;
const seriesOf = async (ctx: Context, from: string, to: string) =>
  (await ask(ctx, SERIES, { from, to })).programStatistics.series;
const none = { joined: 0, issued: 0, spent: 0, expired: 0, withdrawn: 0 };

const inZone = (ctx: Context, timeZone: string) =>
  ctx.sql.query('INSERT INTO workspace.workspaces (id, name, time_zone) VALUES ($1, $2, $3)', [
    ctx.scope.workspaceId,
    'Somewhere',
    timeZone,
  ]);

test('counts members and points on the day on which they came, and days without any as 0', async () => {
  const ctx = newContext();
  const { id } = await given.member(ctx);
  const award = await awardPoints(ctx, id, { amount: 100 });
  await adjustPoints(ctx, id, 7, 'Found');
  await adjustPoints(ctx, id, -2, 'Lost');
  services.clock.advance(2 * DAY_MS);
  await reversePoints(ctx, award.id, 'By mistake');
  await given.member(ctx);
  await ctx.transaction((tx) => countImported(tx, 40));
  await consume(ctx, countProgramConsumer);
  expect(await seriesOf(ctx, '2026-03-09', '2026-03-12')).toEqual([
    { ...none, date: '2026-03-09' },
    { ...none, date: '2026-03-10', joined: 1, issued: 107, withdrawn: 2 },
    { ...none, date: '2026-03-11' },
    { ...none, date: '2026-03-12', joined: 41, withdrawn: 100 },
  ]);
  services.clock.advance(-2 * DAY_MS);
});

test.each([
  ['Asia/Kathmandu', '2026-03-10T18:14:00.000Z', '2026-03-10T18:16:00.000Z'],
  ['America/St_Johns', '2026-03-11T02:29:00.000Z', '2026-03-11T02:31:00.000Z'],
  ['Europe/Lisbon', '2026-03-10T23:59:00.000Z', '2026-03-11T00:01:00.000Z'],
])('a day of %s begins with its midnight', async (zone, before, after) => {
  const ctx = newContext();
  await inZone(ctx, zone);
  const start = services.clock.now().getTime();
  for (const at of [before, after]) {
    services.clock.advance(Date.parse(at) - services.clock.now().getTime());
    await given.member(ctx);
  }
  services.clock.advance(start - services.clock.now().getTime());
  await consume(ctx, countProgramConsumer);
  const series = await seriesOf(ctx, '2026-03-10', '2026-03-11');
  expect(series.map(({ joined }: { joined: number }) => joined)).toEqual([1, 1]);
});

test('counts of two writers at once add up, and belong to one workspace and mode', async () => {
  const ctx = newContext();
  await Promise.all([1, 2, 3, 4].map(() => ctx.transaction((tx) => countImported(tx, 5))));
  const day = '2026-03-10';
  expect(await seriesOf(ctx, day, day)).toEqual([{ ...none, date: day, joined: 20 }]);
  for (const other of [newContext(), fresh({ mode: 'TEST', workspaceId: ctx.scope.workspaceId })])
    expect(await seriesOf(other, day, day)).toEqual([{ ...none, date: day }]);
});

test('reads its days by the index, in one statement', async () => {
  const ctx = newContext();
  services.statements.length = 0;
  await seriesOf(ctx, '2026-02-01', '2026-03-10');
  const reads = services.statements.filter((text) => text.includes('loyalty.program_periods'));
  expect(reads).toHaveLength(1);
  await expect(seriesOf(ctx, '2026-03-11', '2026-03-10')).rejects.toThrow('from must not be after to.');
});
