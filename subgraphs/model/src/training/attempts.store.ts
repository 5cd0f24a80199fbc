import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { VersionKey } from '../versions/model-version.ts';

/** An attempt that a worker has claimed. */
export type ClaimedAttempt = VersionKey & {
  readonly attempt: number;
  /** Fencing token: only the worker with the latest one may write. */
  readonly token: number;
  /** Number of claims of this attempt. */
  readonly claims: number;
};

const lease = (seconds: string): string => `now() + make_interval(secs => ${seconds}::float8)`;

/** Claims a queued attempt, or one whose worker is lost. Concurrent callers get different attempts. */
export async function claimAttempt(ctx: Context, leaseSeconds: number): Promise<ClaimedAttempt | null> {
  const [claimed] = await ctx.sql.query<ClaimedAttempt>(
    `/* every workspace */ UPDATE model.model_versions AS v
        SET status = 'RUNNING', started_at = coalesce(v.started_at, $1), due_at = ${lease('$2')},
            token = v.token + 1, claims = v.claims + 1
       FROM (SELECT workspace_id, mode, id FROM model.model_versions
              WHERE status IN ('QUEUED', 'RUNNING') AND due_at <= now()
              ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED) AS due
      WHERE v.workspace_id = due.workspace_id AND v.mode = due.mode AND v.id = due.id
     RETURNING v.workspace_id, v.mode, v.id, v.attempt, v.token, v.claims`,
    [ctx.clock.now(), leaseSeconds],
  );
  return claimed ?? null;
}

/**
 * Extends the claim and saves the progress; returns false if the claim is lost or the attempt was cancelled.
 */
export async function extendClaim(
  ctx: Context,
  { id, token }: Pick<ClaimedAttempt, 'id' | 'token'>,
  progress: { readonly step: string | null; readonly done: number },
  leaseSeconds: number,
): Promise<boolean> {
  const rows = await ctx.sql.query(
    `UPDATE model.model_versions SET due_at = ${lease('$5')}, step = $6, done = $7
      WHERE ${inScope()} AND id = $3 AND status = 'RUNNING' AND token = $4 RETURNING id`,
    [...scopeOf(ctx), id, token, leaseSeconds, progress.step, progress.done],
  );
  return rows.length > 0;
}

/** Ends an attempt without a report; returns false if the claim is lost. */
export async function markFailed(
  tx: Context,
  { id, token }: Pick<ClaimedAttempt, 'id' | 'token'>,
  { code, message }: { readonly code: string; readonly message: string },
): Promise<boolean> {
  const rows = await tx.sql.query(
    `UPDATE model.model_versions
        SET status = 'FAILED', due_at = NULL, finished_at = $5, failure_code = $6, failure = $7
      WHERE ${inScope()} AND id = $3 AND status = 'RUNNING' AND token = $4 RETURNING id`,
    [...scopeOf(tx), id, token, tx.clock.now(), code, message],
  );
  return rows.length > 0;
}

/** Locks an attempt until the transaction ends; returns false if the claim is lost. */
export async function lockClaim(
  tx: Context,
  { id, token }: Pick<ClaimedAttempt, 'id' | 'token'>,
): Promise<boolean> {
  const rows = await tx.sql.query(
    `SELECT FROM model.model_versions
      WHERE ${inScope()} AND id = $3 AND status = 'RUNNING' AND token = $4 FOR NO KEY UPDATE`,
    [...scopeOf(tx), id, token],
  );
  return rows.length > 0;
}

/** Ends a locked attempt with its report. */
export async function markEvaluated(
  tx: Context,
  id: string,
  made: { readonly reportId: string; readonly fingerprint: string; readonly sampleCount: number },
): Promise<void> {
  await tx.sql.query(
    `UPDATE model.model_versions
        SET status = 'EVALUATED', due_at = NULL, finished_at = $4, done = 1, report_id = $5, fingerprint = $6,
            sample_count = $7
      WHERE ${inScope()} AND id = $3`,
    [...scopeOf(tx), id, tx.clock.now(), made.reportId, made.fingerprint, made.sampleCount],
  );
}
