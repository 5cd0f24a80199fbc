import { z } from 'zod';
import { addMs, DAY_MS } from '../base/clock.ts';
import type { Context } from '../context.ts';
import { type JobType, job } from './jobs.ts';

/** Settings with a retention time in days. */
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

/** Retention of a table: which rows are deleted, and when. */
export type Retention = {
  /** Name of the table with its schema. */
  readonly table: string;
  /** Days for which a row is kept; 0 if the row itself contains its expiry. */
  readonly days: DaysSetting | number;
  /** Maximum of rows per statement. Default 5,000; fewer for large rows. */
  readonly batch?: number;
  /**
   * Statement that aggregates the deleted rows, `gone`, into another table, and the columns that it reads.
   */
  readonly folded?: { readonly columns: string; readonly sql: string };
} & (
  | {
      /** Column with the time at which the retention begins; it has an index. */
      readonly endedAt: string;
    }
  | {
      /** Condition for the deleted rows, if no column contains the time. `$1` is the time `days` ago. */
      readonly condition: string;
    }
);

const BATCH = 5_000;

/** Declares a job that deletes expired rows in all workspaces. */
export const pruneJob = (name: string, kept: readonly Retention[]): JobType<Record<string, never>> =>
  job(
    name,
    z.object({}),
    async (ctx) => {
      for (const retention of kept) await deleteEnded(ctx, retention);
    },
    { expireInSeconds: 3_600 },
  );

/** Returns the statement that deletes one batch and counts its rows. */
export function deletionOf(kept: Retention): string {
  const { table, batch = BATCH, folded } = kept;
  // In index order, so that PostgreSQL never prefers a plan without the index.
  const ended = 'endedAt' in kept ? `${kept.endedAt} <= $1 ORDER BY ${kept.endedAt}` : kept.condition;
  return `/* every workspace */ WITH gone AS (
       DELETE FROM ${table}
        WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${ended} LIMIT ${batch}))
       RETURNING ${folded?.columns ?? '1'})${folded ? `, folded AS (${folded.sql})` : ''}
     SELECT count(*)::int AS rows FROM gone`;
}

/**
 * Deletes in batches, each in its own transaction, so that no lock is held for long and no work is repeated.
 */
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
