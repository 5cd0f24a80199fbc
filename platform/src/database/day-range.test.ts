import { expect, test } from '@jest/globals';
import { useServices } from '@loyalty/test/harness/services';
import type { Context } from '../context.ts';
import { dayRange, instantsOf } from './day-range.ts';

const { services, ctx } = useServices({ at: '2026-03-10T10:00:00.000Z' });

/** Returns the request in a workspace with this time zone. */
async function inTimeZone(timeZone: string): Promise<Context> {
  await ctx.sql.query('INSERT INTO workspace.workspaces (id, name, time_zone) VALUES ($1, $2, $3)', [
    ctx.scope.workspaceId,
    'Somewhere',
    timeZone,
  ]);
  return ctx;
}

const wrong = (field: string, rule: string) => ({
  code: 'VALIDATION_FAILED',
  details: { field },
  message: `${field} ${rule}.`,
});

test.each([
  ['one day', '2026-03-10', '2026-03-10', 1],
  ['400 days', '2025-02-04', '2026-03-10', 400],
])('a report has %s', async (_, from, to, days) => {
  const range = await dayRange(ctx, { from, to });
  expect(range.dates).toHaveLength(days);
  expect([range.dates[0], range.dates.at(-1)]).toEqual([from, to]);
});

test('a report of 401 days is refused, and one that ends on the day before it begins', async () => {
  await expect(dayRange(ctx, { from: '2025-02-03', to: '2026-03-10' })).rejects.toMatchObject(
    wrong('to', 'must be at most 399 days after from'),
  );
  await expect(dayRange(ctx, { from: '2026-03-11', to: '2026-03-10' })).rejects.toMatchObject(
    wrong('from', 'must not be after to'),
  );
});

test.each([
  ['UTC', '2026-03-10T00:00:00.000Z', '2026-03-10'],
  ['UTC', '2026-03-09T23:59:59.999Z', '2026-03-09'],
  ['Asia/Kathmandu', '2026-03-09T18:15:00.000Z', '2026-03-10'],
  ['Asia/Kathmandu', '2026-03-09T18:14:59.999Z', '2026-03-09'],
])('by default a report has 30 days, and ends with today: in %s at %s', async (timeZone, at, today) => {
  services.clock.set(at);
  const { dates, from, to } = await dayRange(await inTimeZone(timeZone), {});
  expect([dates.length, dates.at(-1)]).toEqual([30, today]);
  const now = new Date(at).getTime();
  expect([from.getTime() <= now, now < to.getTime()]).toEqual([true, true]);
});

test('the days of a filter may be one day, not one that ends before it begins', async () => {
  const [from, to] = ['2026-03-10', '2026-03-10'];
  expect(await instantsOf(await inTimeZone('Asia/Kathmandu'), 'from', from, to)).toEqual({
    from: new Date('2026-03-09T18:15:00.000Z'),
    to: new Date('2026-03-10T18:15:00.000Z'),
  });
  await expect(instantsOf(ctx, 'from', '2026-03-11', to)).rejects.toMatchObject(
    wrong('from', 'must not be after the last day'),
  );
});
