import { z } from 'zod';
import { addMs, DAY_MS } from '../base/clock.ts';
import type { Context } from '../context.ts';
import { type JobType, job } from './jobs.ts';

/** Settings that say for how many days something is kept. */
type DaysSetting =
  | 'OUTBOX_DAYS'
  | 'HISTORY_DAYS'
  | 'IMPORT_FILE_DAYS'
  | 'RESERVATION_DAYS'
  | 'WEBHOOK_LOG_DAYS'
  | 'MESSAGE_LOG_DAYS'
  | 'TRACKING_DAYS'
  | 'JOURNEY_RUN_DAYS'
  | 'AGENT_RUN_DAYS';

/** Rows of a table that are deleted when their time is over. */
export type Retention = {
  /** With its schema. */
  readonly table: string;
  /** For how many days a row is kept; 0 where the row itself says until when. */
  readonly days: DaysSetting | number;
  /** Rows that one statement deletes at most. Default 5,000; fewer where rows are large. */
  readonly batch?: number;
  /** What is kept of them elsewhere: a statement over those that go, `gone`, and the columns it reads. */
  readonly folded?: { readonly columns: string; readonly sql: string };
} & (
  | {
      /** The column that says since when a row is over; it has an index. */
      readonly endedAt: string;
    }
  | {
      /** Which rows go, where no column says so: `$1` is the time that is `days` ago. */
      readonly condition: string;
    }
);

const BATCH = 5_000;

/** A job that deletes, in all workspaces, what is kept no longer. */
export const pruneJob = (name: string, kept: readonly Retention[]): JobType<Record<string, never>> =>
  job(
    name,
    z.object({}),
    async (ctx) => {
      for (const retention of kept) await deleteEnded(ctx, retention);
    },
    { expireInSeconds: 3_600 },
  );

/** The statement that deletes one batch, and counts it. */
export function deletionOf(kept: Retention): string {
  const { table, batch = BATCH, folded } = kept;
  // In the order of the index, so that PostgreSQL never expects to find enough rows sooner without it.
  const ended = 'endedAt' in kept ? `${kept.endedAt} <= $1 ORDER BY ${kept.endedAt}` : kept.condition;
  return `/* every workspace */ WITH gone AS (
       DELETE FROM ${table}
        WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${ended} LIMIT ${batch}))
       RETURNING ${folded?.columns ?? '1'})${folded ? `, folded AS (${folded.sql})` : ''}
     SELECT count(*)::int AS rows FROM gone`;
}

/** In batches, each a transaction of its own, so that no lock is held for long and nothing is done twice. */
async function deleteEnded({ sql, clock, services: { config } }: Context, kept: Retention): Promise<void> {
  const { days, batch = BATCH } = kept;
  const before = addMs(clock.now(), -DAY_MS * (typeof days === 'number' ? days : config[days]));
  const deletion = deletionOf(kept);
  let deleted: number;
  do {
    const [gone] = await sql.query<{ rows: number }>(deletion, [before]);
    deleted = gone!.rows;
  } while (deleted === batch);
}
