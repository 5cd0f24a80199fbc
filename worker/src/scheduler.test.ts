import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { HOUR_MS, MINUTE_MS } from '@loyalty/platform/base/clock';
import { type Job, job } from '@loyalty/platform/work/jobs';
import { useServices } from '@loyalty/test/harness/services';
import { PgBoss } from 'pg-boss';
import { z } from 'zod';
import { prepareSchedule, queueDue } from './scheduler.ts';

const minutely: Job = job('test.minutely', z.object({}), async () => undefined);
const hourly: Job = job('test.hourly', z.object({}), async () => undefined);
const schedule = [
  { job: minutely, everyMs: MINUTE_MS },
  { job: hourly, everyMs: HOUR_MS },
];

const { services, beforeClose } = useServices();
let boss: PgBoss;

beforeAll(async () => {
  boss = new PgBoss({ connectionString: services.url, max: 2, schedule: false, supervise: false });
  boss.on('error', () => undefined);
  await boss.start();
  for (const { job } of schedule) await boss.createQueue(job.name);
});
beforeEach(async () => {
  services.clock.set('2026-03-02T10:00:00Z');
  await services.database.sql.query('TRUNCATE platform.schedules');
  for (const { job } of schedule) await boss.deleteAllJobs(job.name);
  await prepareSchedule(services, schedule);
});
beforeClose(() => boss.stop({ graceful: false }));

/** Returns the times of the next runs, after the due ones at an instant were queued. */
async function nextAt(at: string): Promise<Record<string, string>> {
  services.clock.set(at);
  await queueDue(services, boss, schedule);
  const rows = await services.database.sql.query<{ name: string; nextRunAt: Date }>(
    'SELECT name, next_run_at FROM platform.schedules',
  );
  return Object.fromEntries(rows.map(({ name, nextRunAt }) => [name, nextRunAt.toISOString()]));
}

/** Returns the number of queued jobs of each name, in the order of the schedule. */
const queued = async () => {
  const rows = await services.database.sql.query<{ name: string }>('SELECT name FROM pgboss.job');
  return schedule.map(({ job }) => rows.filter(({ name }) => name === job.name).length);
};

test.each([
  ['within a minute', '10:20:30.500', '10:21:00.000', '11:00:00.000'],
  ['a millisecond before the hour', '10:59:59.999', '11:00:00.000', '11:00:00.000'],
  ['on the hour', '11:00:00.000', '11:01:00.000', '12:00:00.000'],
])(
  'an entry that runs %s is due again at the whole multiple of its interval',
  async (_, now, minute, hour) => {
    expect(await nextAt(`2026-03-02T${now}Z`)).toEqual({
      'test.minutely': `2026-03-02T${minute}Z`,
      'test.hourly': `2026-03-02T${hour}Z`,
    });
  },
);

test('an entry is queued at the instant at which it is due, not before, and once', async () => {
  await nextAt('2026-03-02T10:20:30Z');
  expect(await queued()).toEqual([1, 1]);
  await nextAt('2026-03-02T10:20:59.999Z');
  expect(await queued()).toEqual([1, 1]);
  await nextAt('2026-03-02T10:21:00Z');
  await nextAt('2026-03-02T10:21:00Z');
  expect(await queued()).toEqual([2, 1]);
  // Several missed runs are made up by one run.
  await nextAt('2026-03-02T12:00:00Z');
  expect(await queued()).toEqual([3, 2]);
});

/** Longer than the default lock timeout. */
const LONGER_MS = 1_500;

test('a worker that starts waits for the rows of another one that does', async () => {
  await services.database.sql.query('TRUNCATE platform.schedules');
  const [inserted, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const other = services.database.transaction(async ({ sql }) => {
    await sql.query(`INSERT INTO platform.schedules (name, next_run_at) VALUES ('test.hourly', now())`);
    inserted.resolve();
    await ended.promise;
  });
  await inserted.promise;
  const prepared = prepareSchedule(services, schedule);
  await Promise.race([prepared, delay(LONGER_MS)]);
  ended.resolve();
  await Promise.all([other, prepared]);
  const rows = await services.database.sql.query('SELECT name FROM platform.schedules ORDER BY name');
  expect(rows).toEqual([{ name: 'test.hourly' }, { name: 'test.minutely' }]);
});
