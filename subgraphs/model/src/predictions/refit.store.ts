import type { Scope } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { IntervalMoments } from '../numerics/member-rhythm.ts';

/** Selects every workspace and mode in the table; each takes one step in its index. */
const scopesIn = (table: string): string => `
  (WITH RECURSIVE scopes AS (
     (SELECT workspace_id, mode FROM ${table} ORDER BY workspace_id, mode LIMIT 1)
     UNION ALL
     SELECT further.* FROM scopes CROSS JOIN LATERAL (
       SELECT t.workspace_id, t.mode FROM ${table} AS t
        WHERE (t.workspace_id, t.mode) > (scopes.workspace_id, scopes.mode)
        ORDER BY t.workspace_id, t.mode LIMIT 1) AS further)
   SELECT workspace_id, mode FROM scopes)`;

/**
 * Returns scopes with facts. Scopes with statistics have orders or events; receipts alone make no statistics.
 */
export const scopesWithFacts = (ctx: Context): Promise<Scope[]> =>
  ctx.sql.query<Scope>(
    `/* every workspace */ SELECT workspace_id, mode
       FROM (${scopesIn('model.member_statistics')}
              UNION ${scopesIn('model.channel_receipt_facts')}) AS scopes
      ORDER BY workspace_id, mode`,
    [],
  );

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
