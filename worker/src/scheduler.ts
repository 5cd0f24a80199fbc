import type { Services } from '@loyalty/platform/context';
import type { PgBoss } from 'pg-boss';
import { type Envelope, insertJobs } from './queues.ts';
import { jobId } from './relay.ts';
import type { ScheduleEntry } from './schedule.ts';

/** Makes sure that every entry has a row; a new entry is due at once. */
export async function prepareSchedule(
  { database, clock }: Services,
  schedule: readonly ScheduleEntry[],
): Promise<void> {
  await database.sql.query(
    `INSERT INTO platform.schedules (name, next_run_at)
     SELECT unnest($1::text[]), $2
     ON CONFLICT (name) DO NOTHING`,
    [schedule.map(({ job }) => job.name), clock.now()],
  );
}

/**
 * Queues what is due; only one worker queues each run, and a run missed while no worker ran is made up
 * once.
 */
export async function queueDue(
  services: Services,
  boss: PgBoss,
  schedule: readonly ScheduleEntry[],
): Promise<void> {
  const { database, clock } = services;
  const now = clock.now();
  for (const { job, everyMs } of schedule) {
    const next = new Date(now.getTime() + everyMs - (now.getTime() % everyMs));
    await database.transaction(async ({ sql }) => {
      const [claimed] = await sql.query(
        'UPDATE platform.schedules SET next_run_at = $3 WHERE name = $1 AND next_run_at <= $2 RETURNING name',
        [job.name, now, next],
      );
      if (!claimed) return;
      const about = { workspaceId: null, mode: 'LIVE', data: {} } as const;
      const data: Envelope = { ...about, job: job.name, requestId: `schedule:${job.name}` };
      const db = {
        executeSql: async (text: string, values: unknown[] = []) => ({ rows: await sql.query(text, values) }),
      };
      await insertJobs(boss, job, [{ id: jobId(next.toISOString(), job.name), data }], { db });
    });
  }
}
