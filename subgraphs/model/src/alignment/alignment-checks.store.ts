import type { Context, Loader } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';

/** The quality of an alignment in a past window. */
export interface AlignmentCheck {
  readonly versionId: string;
  readonly checkedAt: Date;
  /** The last day whose data the scores used; YYYY-MM-DD. */
  readonly cutoffDate: string;
  /** The last day of the label; YYYY-MM-DD. */
  readonly labelEndDate: string;
  readonly members: number;
  /** Expected calibration error, 0 to 1. */
  readonly calibrationError: number;
  /** With a greater calibration error the alignment is stale. */
  readonly calibrationBound: number;
  /** In nats per member. */
  readonly logLoss: number;
  readonly standardLogLoss: number;
  readonly isStale: boolean;
  /** Time since which every check found it stale; null if it is not. */
  readonly staleSince: Date | null;
}

const SELECTED = `SELECT c.version_id, c.checked_at,
    c.cutoff_date::text AS cutoff_date, c.label_end_date::text AS label_end_date, c.members,
    c.calibration_error, c.calibration_bound, c.log_loss, c.standard_log_loss, c.is_stale, c.stale_since
  FROM model.alignment_checks AS c`;

export const checkByVersion: Loader<string, AlignmentCheck> = loader(async (ctx, ids) => {
  const rows = await ctx.sql.query<AlignmentCheck>(
    `${SELECTED} WHERE ${inScope('c')} AND c.version_id = ANY($3::uuid[])`,
    [...scopeOf(ctx), ids],
  );
  return new Map(rows.map((row) => [row.versionId, row]));
});

/** Returns the last check and locks it until the transaction ends. */
export async function lockCheck(tx: Context, versionId: string): Promise<AlignmentCheck | null> {
  const [row] = await tx.sql.query<AlignmentCheck>(
    `${SELECTED} WHERE ${inScope('c')} AND c.version_id = $3 FOR NO KEY UPDATE`,
    [...scopeOf(tx), versionId],
  );
  return row ?? null;
}

/** Replaces the last check. */
export async function writeCheck(tx: Context, check: AlignmentCheck): Promise<void> {
  await tx.sql.query(
    `INSERT INTO model.alignment_checks (workspace_id, mode, version_id, checked_at, cutoff_date,
       label_end_date, members, calibration_error, calibration_bound, log_loss, standard_log_loss, is_stale,
       stale_since)
     VALUES ($1, $2::platform."Mode", $3, $4, $5::date, $6::date, $7, $8, $9, $10, $11, $12, $13)
     ON CONFLICT (workspace_id, mode, version_id) DO UPDATE
       SET checked_at = excluded.checked_at, cutoff_date = excluded.cutoff_date,
           label_end_date = excluded.label_end_date, members = excluded.members,
           calibration_error = excluded.calibration_error, calibration_bound = excluded.calibration_bound,
           log_loss = excluded.log_loss, standard_log_loss = excluded.standard_log_loss,
           is_stale = excluded.is_stale, stale_since = excluded.stale_since`,
    [
      ...scopeOf(tx),
      ...[check.versionId, check.checkedAt, check.cutoffDate, check.labelEndDate, check.members],
      ...[check.calibrationError, check.calibrationBound, check.logLoss, check.standardLogLoss],
      ...[check.isStale, check.staleSince],
    ],
  );
}
