import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';

export interface NewDecision {
  readonly id: string;
  readonly memberId: string;
  readonly analysisId: string | null;
  readonly action: string;
  readonly itemId: string | null;
  readonly details: object;
  readonly decidedAt: Date;
}

export interface NewOutcome {
  readonly id: string;
  readonly decisionId: string;
  readonly outcome: string;
  readonly value: number | null;
  readonly occurredAt: Date;
}

export interface DecisionRow extends Omit<NewDecision, 'decidedAt'> {
  readonly decidedAt: Date;
  readonly createdAt: Date;
  /** Oldest first. */
  readonly outcomes: readonly {
    readonly id: string;
    readonly outcome: string;
    readonly value: number | null;
    readonly occurredAt: string;
  }[];
}

export async function insertDecision(ctx: Context, decision: NewDecision): Promise<void> {
  const { workspaceId, mode } = ctx.scope;
  await ctx.sql.query(
    `INSERT INTO model.decisions
       (id, workspace_id, mode, member_id, analysis_id, action, item_id, details, actor, decided_at,
        created_at)
     VALUES ($1, $2, $3::platform."Mode", $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      decision.id,
      workspaceId,
      mode,
      decision.memberId,
      decision.analysisId,
      decision.action,
      decision.itemId,
      JSON.stringify(decision.details),
      ctx.caller.actor,
      decision.decidedAt,
      ctx.clock.now(),
    ],
  );
}

/** Returns the member of a decision; null if the decision does not exist. */
export async function memberOfDecision(ctx: Context, id: string): Promise<string | null> {
  const [row] = await ctx.sql.query<{ memberId: string }>(
    `SELECT member_id FROM model.decisions
      WHERE ${inScope()} AND id = $3`,
    [...scopeOf(ctx), id],
  );
  return row?.memberId ?? null;
}

/** Returns false if the decision was deleted. */
export async function insertOutcome(ctx: Context, outcome: NewOutcome): Promise<boolean> {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query(
    `INSERT INTO model.decision_outcomes
       (id, workspace_id, mode, decision_id, outcome, value, actor, occurred_at, created_at)
     SELECT $4, workspace_id, mode, id, $5, $6, $7, $8, $9 FROM model.decisions
      WHERE ${inScope()} AND id = $3
        FOR KEY SHARE
     RETURNING id`,
    [
      workspaceId,
      mode,
      outcome.decisionId,
      outcome.id,
      outcome.outcome,
      outcome.value,
      ctx.caller.actor,
      outcome.occurredAt,
      ctx.clock.now(),
    ],
  );
  return rows.length > 0;
}

/** Returns decisions with their outcomes, newest first: of one member, or of all if null. */
export async function decisionsPage(
  ctx: Context,
  page: { readonly memberId: string | null; readonly afterId: string | null; readonly size: number },
): Promise<DecisionRow[]> {
  const ofMember = page.memberId ? 'AND d.member_id = $5' : '';
  return ctx.sql.query<DecisionRow>(
    `SELECT d.id, d.member_id, d.analysis_id, d.action, d.item_id, d.details, d.decided_at, d.created_at,
            coalesce(o.outcomes, '[]') AS outcomes
       FROM model.decisions AS d
       LEFT JOIN LATERAL (
              SELECT json_agg(json_build_object('id', o.id, 'outcome', o.outcome, 'value', o.value,
                                                'occurredAt', o.occurred_at) ORDER BY o.id) AS outcomes
                FROM model.decision_outcomes AS o
               WHERE ${inScope('o')}
                 AND o.decision_id = d.id) AS o ON true
      WHERE ${inScope('d')}
        AND ($3::uuid IS NULL OR d.id < $3) ${ofMember}
      ORDER BY d.id DESC LIMIT $4`,
    [...scopeOf(ctx), page.afterId, page.size, ...(page.memberId ? [page.memberId] : [])],
  );
}
