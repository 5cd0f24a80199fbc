import { addMs } from '@loyalty/platform/clock';
import type { Context } from '@loyalty/platform/context';

/** Failures in succession after which a provider is paused. */
export const FAILURES_MAX = 5;
export const PAUSE_MS = 60_000;

/** Whether a provider may be tried; a row of `email_providers` has it, too. */
export interface Health {
  readonly failures: number;
  readonly pausedUntil: Date | null;
  readonly lastSuccessAt: Date | null;
}

const HEALTH = 'failures, paused_until, last_success_at';

/**
 * Takes the trial after a pause, for the time of one more pause. Of all processes one gets it.
 *
 * @returns whether it is this one's
 */
export async function claimTrial(ctx: Context, id: string): Promise<boolean> {
  const now = ctx.clock.now();
  const claimed = await ctx.sql.query(
    `UPDATE engagement.email_providers SET paused_until = $4
      WHERE workspace_id = $1 AND id = $2 AND failures >= $5 AND paused_until <= $3 RETURNING id`,
    [ctx.scope.workspaceId, id, now, addMs(now, PAUSE_MS), FAILURES_MAX],
  );
  return claimed.length > 0;
}

/** Counts a failure; from the fifth on each begins a pause. Null for a provider that was removed. */
export async function insertFailure(ctx: Context, id: string, error: string): Promise<Health | null> {
  const now = ctx.clock.now();
  const [health] = await ctx.sql.query<Health>(
    `UPDATE engagement.email_providers
        SET failures = failures + 1, last_failure_at = $3, last_error = $6,
            paused_until = CASE WHEN failures + 1 >= $5 THEN $4::timestamptz END
      WHERE workspace_id = $1 AND id = $2 RETURNING ${HEALTH}`,
    [ctx.scope.workspaceId, id, now, addMs(now, PAUSE_MS), FAILURES_MAX, error],
  );
  return health ?? null;
}

/** Ends a series of failures. @param isSuccess - it sent a message */
export async function resetFailures(ctx: Context, id: string, isSuccess: boolean): Promise<Health | null> {
  const [health] = await ctx.sql.query<Health>(
    `UPDATE engagement.email_providers
        SET failures = 0, paused_until = NULL, last_success_at = CASE WHEN $4 THEN $3 ELSE last_success_at END
      WHERE workspace_id = $1 AND id = $2 RETURNING ${HEALTH}`,
    [ctx.scope.workspaceId, id, ctx.clock.now(), isSuccess],
  );
  return health ?? null;
}
