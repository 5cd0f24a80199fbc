import type { Context } from '@loyalty/platform/context';
import { listDecisions, recordDecision, recordOutcome } from '../member-states/decisions.service.ts';
import type { Finding, Json } from './finding.ts';

/** Returns a finding that was read or written without a model: it costs nothing. */
const plain = (data: Json): Finding => ({
  status: 'OK',
  evidence: [],
  limitations: [],
  modelVersion: null,
  data,
  usage: { scores: 0, hasDecision: false },
});

export async function decisionHistory(
  ctx: Context,
  args: {
    readonly member_id?: string | undefined;
    readonly limit: number;
    readonly after?: string | null | undefined;
  },
): Promise<Finding> {
  const { decisions, nextCursor } = await listDecisions(ctx, {
    memberId: args.member_id ?? null,
    afterId: args.after ?? null,
    size: args.limit,
  });
  const shown = decisions.map((decision) => ({
    id: decision.id,
    member_id: decision.memberId,
    analysis_id: decision.analysisId,
    action: decision.action,
    item_id: decision.itemId,
    details: decision.details,
    decided_at: decision.decidedAt.toISOString(),
    created_at: decision.createdAt.toISOString(),
    outcomes: decision.outcomes.map(({ id, outcome, value, occurredAt }) => ({
      id,
      outcome,
      value,
      occurred_at: new Date(occurredAt).toISOString(),
    })),
  }));
  return plain({ decisions: shown, hasMore: nextCursor !== null, nextCursor });
}

export async function newDecision(
  ctx: Context,
  args: {
    readonly member_id: string;
    readonly action: string;
    readonly item_id?: string | undefined;
    readonly analysis_id?: string | undefined;
    readonly details?: Json | undefined;
    readonly decided_at?: Date | undefined;
  },
): Promise<Finding> {
  const decisionId = await recordDecision(ctx, {
    memberId: args.member_id,
    analysisId: args.analysis_id ?? null,
    action: args.action,
    itemId: args.item_id ?? null,
    details: args.details ?? {},
    decidedAt: args.decided_at ?? ctx.clock.now(),
  });
  return plain({ decision_id: decisionId });
}

export async function newOutcome(
  ctx: Context,
  args: {
    readonly decision_id: string;
    readonly outcome: string;
    readonly value?: number | undefined;
    readonly occurred_at?: Date | undefined;
  },
): Promise<Finding> {
  const outcomeId = await recordOutcome(ctx, {
    decisionId: args.decision_id,
    outcome: args.outcome,
    value: args.value ?? null,
    occurredAt: args.occurred_at ?? ctx.clock.now(),
  });
  return plain({ outcome_id: outcomeId });
}
