import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';

/** Of members with at least two intervals; of logarithms of days, null where there are too few members. */
export interface IntervalMoments {
  readonly members: number;
  readonly varianceWithin: number | null;
  readonly mean: number | null;
  /** Of the members' means, which hold some of the variance within. */
  readonly varianceOfMeans: number | null;
  /** Mean of 1 over the number of a member's intervals. */
  readonly meanOfInverseCounts: number | null;
}

export async function intervalMoments(ctx: Context): Promise<IntervalMoments> {
  const [moments] = await ctx.sql.query<IntervalMoments>(
    `SELECT count(*)::int AS members,
            greatest(0, sum(log_squares - log_sum * log_sum / n) / sum(n - 1)) AS "varianceWithin",
            avg(log_sum / n) AS mean,
            var_samp(log_sum / n) AS "varianceOfMeans",
            avg(1 / n) AS "meanOfInverseCounts"
       FROM (SELECT log_sum, log_squares, (purchase_days - 1)::float8 AS n FROM model.member_statistics
              WHERE ${inScope()}
                AND purchase_days >= 3 AND NOT is_dirty) AS members`,
    scopeOf(ctx),
  );
  return moments!;
}
