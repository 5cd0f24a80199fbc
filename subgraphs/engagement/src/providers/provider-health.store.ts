import { addMs, HOUR_MS } from '@loyalty/platform/base/clock';
import { NO_ID } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';

/** Failures in a row after which a provider is paused. */
export const FAILURES_MAX = 5;

export const PAUSE_MS = 60_000;

/** The health of a provider. A row of `email_providers` contains these fields. */
export interface Health {
  readonly failures: number;
  readonly pausedUntil: Date | null;
  readonly lastSuccessAt: Date | null;
}

const HEALTH = 'failures, paused_until, last_success_at';

/**
 * Claims the trial after a pause, for the duration of another pause. Only one process gets it.
 *
 * @returns whether this process got the trial
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

/**
 * Counts a failure. From the fifth failure on, each one begins a pause. Returns null for a deleted provider.
 */
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

/** Resets the failures in a row. @param isSuccess - whether a message was sent */
export async function resetFailures(ctx: Context, id: string, isSuccess: boolean): Promise<Health | null> {
  const [health] = await ctx.sql.query<Health>(
    `UPDATE engagement.email_providers
        SET failures = 0, paused_until = NULL, last_success_at = CASE WHEN $4 THEN $3 ELSE last_success_at END
      WHERE workspace_id = $1 AND id = $2 RETURNING ${HEALTH}`,
    [ctx.scope.workspaceId, id, ctx.clock.now(), isSuccess],
  );
  return health ?? null;
}

/** Figures of the attempts to send through a provider. */
export interface Figures {
  readonly attempts: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly unavailable: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

/** Loaders of figures by provider id, one for each number of hours. */
const loaders = new Map<number, ReturnType<typeof figuresSince>>();

export function figuresOver(hours: number): ReturnType<typeof figuresSince> {
  const known = loaders.get(hours) ?? figuresSince(hours);
  loaders.set(hours, known);
  return known;
}

/** In the log, the platform's own provider has no id. */
const figuresSince = (hours: number) =>
  loader(async (ctx: Context, ids: readonly string[]) => {
    const rows = await ctx.sql.query<Figures & { readonly id: string }>(
      `SELECT coalesce(provider_id, $5::uuid) AS id, count(*)::int AS attempts,
              count(*) FILTER (WHERE outcome = 'ACCEPTED')::int AS accepted,
              count(*) FILTER (WHERE outcome = 'REJECTED')::int AS rejected,
              count(*) FILTER (WHERE outcome IN ('UNAVAILABLE', 'CREDENTIALS'))::int AS unavailable,
              round(percentile_cont(0.5) WITHIN GROUP (ORDER BY duration_ms))::int AS "p50Ms",
              round(percentile_cont(0.95) WITHIN GROUP (ORDER BY duration_ms))::int AS "p95Ms"
         FROM engagement.message_attempts
        WHERE ${inScope()} AND started_at >= $4
          AND (provider_id = ANY($3::uuid[]) OR provider_id IS NULL AND $5::uuid = ANY($3::uuid[]))
        GROUP BY 1`,
      [...scopeOf(ctx), ids, addMs(ctx.clock.now(), -hours * HOUR_MS), NO_ID],
    );
    return new Map(rows.map(({ id, ...figures }) => [id, figures]));
  });
