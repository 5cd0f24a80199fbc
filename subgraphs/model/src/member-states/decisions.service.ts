import { notFound } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { publish } from '@loyalty/platform/work/events';
import { findMembers, requireConsumer } from '../members/members.service.ts';
import { requireAnalysis } from './analyses.service.ts';
import {
  type DecisionRow,
  decisionsPage,
  insertDecision,
  insertOutcome,
  memberOfDecision,
  type NewDecision,
  type NewOutcome,
} from './decisions.store.ts';
import { decisionRecorded, outcomeRecorded } from './member-states.events.ts';

/**
 * Records a decision about a member that the caller of this function has checked.
 *
 * @param decision.details - any JSON, at most 4 KiB
 * @returns the decision's id
 * @throws AppError ANALYSIS_NOT_FOUND (404) if its analysis is not of this member
 * @remarks Source: model API, section 5, scope decisions:write; requirement M-CAP-03
 */
export async function recordDecision(ctx: Context, decision: Omit<NewDecision, 'id'>): Promise<string> {
  const { memberId, analysisId } = decision;
  if (analysisId) await requireAnalysis(ctx, analysisId, memberId);
  const id = newId(ctx.clock);
  return ctx.transaction(async (tx) => {
    await insertDecision(tx, { ...decision, id });
    await publish(tx, decisionRecorded, { decisionId: id, memberId });
    return id;
  });
}

/**
 * Records an outcome of a decision; a decision may have any number of outcomes.
 *
 * @returns the outcome's id
 * @throws AppError DECISION_NOT_FOUND, CONSUMER_NOT_FOUND (404), MEMBER_RESTRICTED (403)
 * @remarks Source: model API, section 5, scope decisions:write; requirement M-CAP-03
 */
export async function recordOutcome(ctx: Context, outcome: Omit<NewOutcome, 'id'>): Promise<string> {
  const { decisionId } = outcome;
  const memberId = await memberOfDecision(ctx, decisionId);
  if (!memberId) throw notFound('decision', decisionId);
  await requireConsumer(ctx, memberId);
  const id = newId(ctx.clock);
  return ctx.transaction(async (tx) => {
    if (!(await insertOutcome(tx, { ...outcome, id }))) throw notFound('decision', decisionId);
    await publish(tx, outcomeRecorded, { decisionId, memberId, outcomeId: id });
    return id;
  });
}

/** One page of decisions. */
export interface DecisionPage {
  readonly decisions: readonly DecisionRow[];
  /** The last decision of the page, if there are older ones. */
  readonly nextCursor: string | null;
}

/**
 * Returns decisions with their outcomes, newest first. Decisions about members whose processing is restricted
 * are left out, so a page may be short although another follows.
 *
 * @param page.memberId - null for all members
 * @param page.size - 1 to 100
 * @remarks Source: model API, section 5, scope decisions:read
 */
export async function listDecisions(
  ctx: Context,
  page: { readonly memberId: string | null; readonly afterId: string | null; readonly size: number },
): Promise<DecisionPage> {
  const found = await decisionsPage(ctx, { ...page, size: page.size + 1 });
  const rows = found.slice(0, page.size);
  const ids = [...new Set(rows.map(({ memberId }) => memberId))];
  const members = ids.length > 0 ? await findMembers(ctx, { ids }) : [];
  const shown = new Set(members.filter(({ isRestricted }) => !isRestricted).map(({ id }) => id));
  return {
    decisions: rows.filter(({ memberId }) => shown.has(memberId)),
    nextCursor: found.length > page.size ? rows.at(-1)!.id : null,
  };
}
