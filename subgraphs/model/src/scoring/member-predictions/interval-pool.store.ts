import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import type { IntervalMoments } from '../rhythm/interval-pool.ts';

export async function intervalMoments(ctx: Context): Promise<IntervalMoments> {
  const [moments] = await ctx.sql.query<IntervalMoments>(
    `SELECT count(*)::int AS members,
            greatest(0, sum(log_squares - log_sum * log_sum / n) / sum(n - 1)) AS variance_within,
            avg(log_sum / n) AS mean,
            var_samp(log_sum / n) AS variance_of_means,
            avg(1 / n) AS mean_of_inverse_counts
       FROM (SELECT log_sum, log_squares, (purchase_days - 1)::float8 AS n FROM model.member_statistics
              WHERE ${inScope()}
                AND purchase_days >= 3 AND NOT is_dirty) AS members`,
    scopeOf(ctx),
  );
  return moments!;
}
