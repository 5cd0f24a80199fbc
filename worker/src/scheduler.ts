import type { Context, Services } from '@loyalty/platform/context';
import { setStatementTimeout } from '@loyalty/platform/database/statement-timeout';
import type { PgBoss } from 'pg-boss';
import { type Envelope, insertJobs } from './queues.ts';
import { jobId } from './relay.ts';
import type { ScheduleEntry } from './schedule.ts';

/** Timeouts in seconds; workers that start together wait for each other's rows. */
const START_TIMEOUT = { statement: 60, lock: 60 };

/** Creates missing rows of entries; a new entry is due at once. */
export async function prepareSchedule(
  { database, clock }: Services,
  schedule: readonly ScheduleEntry[],
): Promise<void> {
  await database.transaction(async (tx) => {
    await setStatementTimeout(tx, START_TIMEOUT);
    await tx.sql.query(
      `INSERT INTO platform.schedules (name, next_run_at)
       SELECT unnest($1::text[]), $2
       ON CONFLICT (name) DO NOTHING`,
      [schedule.map(({ job }) => job.name), clock.now()],
    );
  });
}

/**
 * Queues due jobs. Each run is queued by only one worker. Runs that were missed while no worker ran are made
 * up by one run.
 */
export async function queueDue(
  services: Services,
  boss: PgBoss,
  schedule: readonly ScheduleEntry[],
): Promise<void> {
  const { database, clock } = services;
  const now = clock.now();
  await database.transaction(async ({ sql }) => {
    const claimed = await claimDue(sql, schedule, now);
    const db = {
      executeSql: async (text: string, values: unknown[] = []) => ({ rows: await sql.query(text, values) }),
    };
    for (const { job, everyMs } of schedule.filter(({ job }) => claimed.has(job.name))) {
      const about = { workspaceId: null, mode: 'LIVE', data: {} } as const;
      const data: Envelope = { ...about, job: job.name, requestId: `schedule:${job.name}` };
      const id = jobId(nextRun(now, everyMs).toISOString(), job.name);
      await insertJobs(boss, job, [{ id, data }], { db });
    }
  });
}

/** Sets the next runs of all due entries and returns the names of these entries. */
async function claimDue(
  sql: Context['sql'],
  schedule: readonly ScheduleEntry[],
  now: Date,
): Promise<Set<string>> {
  const rows = await sql.query<{ name: string }>(
    `WITH due AS MATERIALIZED (
       SELECT name FROM platform.schedules WHERE name = ANY($1::text[]) AND next_run_at <= $3
          FOR UPDATE SKIP LOCKED
     )
     UPDATE platform.schedules AS s SET next_run_at = n.next_run_at
       FROM due JOIN unnest($1::text[], $2::timestamptz[]) AS n(name, next_run_at) USING (name)
      WHERE s.name = due.name
     RETURNING s.name`,
    [schedule.map(({ job }) => job.name), schedule.map(({ everyMs }) => nextRun(now, everyMs)), now],
  );
  return new Set(rows.map(({ name }) => name));
}

/** Returns the next whole multiple of the interval. */
const nextRun = (now: Date, everyMs: number): Date =>
  new Date(now.getTime() + everyMs - (now.getTime() % everyMs));
