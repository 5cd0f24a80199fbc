import { expect, test } from '@jest/globals';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { askOf } from '@loyalty/test/harness/ask';
import { useServices } from '@loyalty/test/harness/services';
import { engagement } from '../subgraph.ts';
import { given, storedEvents, track } from './tracking.fixture.ts';
import { rotateEventDaysJob } from './tracking.jobs.ts';

const { services, ctx, fresh, newContext } = useServices({ at: '2026-03-10T10:00:00.000Z' });
const ask = askOf(engagement);

const STATISTICS = `query ($from: Date, $to: Date, $event: String) {
  trackingStatistics(from: $from, to: $to, event: $event) {
    events { event count uniqueMembers } series { date count }
  }
}`;
const statistics = async (of = ctx, variables = {}) => {
  const { data, message } = await ask(of, STATISTICS, variables);
  return data?.trackingStatistics ?? message;
};

test('counts events and members by name and by day, days without events as 0', async () => {
  const [ada, bo] = [await given.member(ctx), await given.member(ctx)];
  const on = (day: number) => new Date(services.clock.now().getTime() - day * DAY_MS);
  await track(
    ctx,
    ...[ada, ada, bo].map((memberId) => ({ memberId, occurredAt: on(2) })),
    { anonymousId: 'v', occurredAt: on(0) },
    { event: 'search', memberId: ada, occurredAt: on(0) },
  );
  for (const other of [newContext(), fresh({ mode: 'TEST' })]) await track(other, {});
  const period = { from: '2026-03-08', to: '2026-03-10' };
  expect(await statistics(ctx, period)).toEqual({
    events: [
      { event: 'view', count: 4, uniqueMembers: 2 },
      { event: 'search', count: 1, uniqueMembers: 1 },
    ],
    series: [
      { date: '2026-03-08', count: 3 },
      { date: '2026-03-09', count: 0 },
      { date: '2026-03-10', count: 2 },
    ],
  });
  expect(await statistics(ctx, { ...period, event: 'search' })).toMatchObject({
    events: [{ event: 'search', count: 1 }],
    series: [{ count: 0 }, { count: 0 }, { count: 1 }],
  });
  expect((await statistics()).series).toHaveLength(30);
});

test('refuses a period that is too long or ends before it begins', async () => {
  expect(await statistics(ctx, { from: '2026-03-11', to: '2026-03-10' })).toBe('from must not be after to.');
  expect(await statistics(ctx, { from: '2025-02-03', to: '2026-03-10' })).toBe(
    'to must be at most 399 days after from.',
  );
  expect((await statistics(ctx, { from: '2025-02-04', to: '2026-03-10' })).series).toHaveLength(400);
});

test('reads only the partitions of days on which the events can have been received, by an index', async () => {
  await rotateEventDaysJob.run(ctx, {});
  for (let day = 0; day < 20; day += 1) {
    services.clock.advance(DAY_MS);
    await track(ctx, {}, {});
  }
  services.statements.length = 0;
  await statistics(ctx, { from: '2026-03-12', to: '2026-03-12' });
  const text = services.statements.find((each) => each.includes('count(DISTINCT'))!;
  const [from, to] = ['2026-03-12T00:00:00Z', '2026-03-13T00:00:00Z'];
  const ids = [from, to].map((at, place) => {
    const hex = (Date.parse(at) + (place ? 8 : -1) * DAY_MS).toString(16).padStart(12, '0');
    return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
  });
  const plan = await ctx.transaction(async (tx) => {
    await tx.sql.query('SET LOCAL enable_seqscan = off');
    const params = [ctx.scope.workspaceId, 'LIVE', from, to, ...ids, null];
    return JSON.stringify(await tx.sql.query(`EXPLAIN (FORMAT JSON) ${text}`, params));
  });
  const days = [...plan.matchAll(/"Relation Name":"tracking_events_(\d{8})"/g)].map(([, day]) => day).sort();
  expect(days[0]).toBe('20260311');
  expect(days.at(-1)).toBe('20260320');
  expect(plan).not.toContain('Seq Scan');
});

test('events are forgotten after TRACKING_DAYS, by dropping the partitions of their days', async () => {
  await track(ctx, {});
  services.clock.advance(services.config.TRACKING_DAYS * DAY_MS);
  await rotateEventDaysJob.run(ctx, {});
  expect(await storedEvents(ctx)).toHaveLength(1);
  services.clock.advance(DAY_MS);
  await rotateEventDaysJob.run(ctx, {});
  expect(await storedEvents(ctx)).toEqual([]);
});
