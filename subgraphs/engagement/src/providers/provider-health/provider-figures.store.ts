import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import { addMs, HOUR_MS } from '@loyalty/platform/clock';
import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/loading/loaders';
import { NO_ID } from '@loyalty/platform/values/ids';

/** What became of attempts to send through one provider. */
export interface Figures {
  readonly attempts: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly unavailable: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

/** Figures of the providers by their ids; one loader for each number of hours. */
const loaders = new Map<number, ReturnType<typeof figuresSince>>();

export function figuresOver(hours: number): ReturnType<typeof figuresSince> {
  const known = loaders.get(hours) ?? figuresSince(hours);
  loaders.set(hours, known);
  return known;
}

/** The platform's own has no id in the log, where it is the one of no row. */
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
