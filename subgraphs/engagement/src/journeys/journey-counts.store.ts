import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';

/** The number of outcomes of a node, in all versions together. */
export interface OutcomeCount {
  readonly nodeId: string;
  /** For example ENTERED, DONE, SKIPPED:NO_CONSENT, BRANCH:yes, GOAL_REACHED. */
  readonly outcome: string;
  readonly count: number;
}

export const outcomesOf = (ctx: Context, journeyId: string): Promise<OutcomeCount[]> =>
  ctx.sql.query<OutcomeCount>(
    `SELECT node_id, outcome, sum(count)::float8 AS count
       FROM engagement.journey_node_counts WHERE ${inScope()} AND journey_id = $3
      GROUP BY node_id, outcome`,
    [...scopeOf(ctx), journeyId],
  );

/** Returns the number of members at each node now. Before the first node, the node id is empty. */
export const membersByNode = (ctx: Context, journeyId: string): Promise<OutcomeCount[]> =>
  ctx.sql.query<OutcomeCount>(
    `SELECT node_id, 'WAITING' AS outcome, count(*)::float8 AS count
       FROM engagement.journey_runs
      WHERE ${inScope()} AND journey_id = $3 AND ended_at IS NULL
      GROUP BY node_id`,
    [...scopeOf(ctx), journeyId],
  );

/** The fields of a campaign that figures need. */
export interface CountedCampaign {
  readonly id: string;
  /** The journey of a campaign that has no message of its own. */
  readonly journeyId: string | null;
  readonly variants: readonly { readonly key: string }[];
  readonly holdOutPercent: number;
}

export async function findCountedCampaign(ctx: Context, id: string): Promise<CountedCampaign | null> {
  const [row] = await ctx.sql.query<CountedCampaign>(
    `SELECT id, journey_id, variants, hold_out_percent
       FROM engagement.campaigns WHERE ${inScope()} AND id = $3`,
    [...scopeOf(ctx), id],
  );
  return row ?? null;
}

/** The number of members of an audience with the same outcome. */
export interface AudienceCount {
  readonly variant: string;
  readonly state: 'WAITING' | 'QUEUED' | 'HELD_OUT' | 'SKIPPED';
  readonly reason: string;
  readonly count: number;
}

export const recipientsOf = (ctx: Context, campaignId: string): Promise<AudienceCount[]> =>
  ctx.sql.query<AudienceCount>(
    `SELECT variant, state, coalesce(reason, '') AS reason, count(*)::float8 AS count
       FROM engagement.campaign_recipients WHERE ${inScope()} AND campaign_id = $3
      GROUP BY variant, state, 3`,
    [...scopeOf(ctx), campaignId],
  );
