import { findMember } from '@loyalty/loyalty-subgraph/members/member-refs/member-refs.peer';
import { guardValue, guardWrite } from '@loyalty/platform/caller/write-guard';
import type { Context } from '@loyalty/platform/context';
import { conflict, invalid, notFound } from '@loyalty/platform/errors';
import { audit } from '@loyalty/platform/operations/audit';
import { publish } from '@loyalty/platform/outbox/events';
import { atLeast } from '@loyalty/platform/values/input-rules';
import { POINTS_MAX } from '../../earning-rules/earning-rules.evaluate.ts';
import { optionalText } from '../../input/optional-text.ts';
import { isOpen } from '../../members/open-members.ts';
import { scheduleImageDeletion } from '../receipt-images/receipt-images.service.ts';
import { getOpenMember } from './receipt-members.service.ts';
import { receiptPoints } from './receipt-points.service.ts';
import { receiptProcessed } from './receipts.events.ts';
import { findReceipt, type Receipt } from './receipts.service.ts';
import { type Decision, releaseFingerprints, saveDecision } from './receipts.store.ts';

const REASON_LENGTH_MAX = 500;

interface Review {
  readonly decision: 'APPROVE' | 'REJECT';
  readonly points?: number | null | undefined;
  readonly reason?: string | null | undefined;
}

/**
 * Approves or rejects a receipt, finally; also one that looked like a duplicate, or is not read yet. Points
 * are published by an event and booked moments later.
 *
 * @param review.points - count as they are; default: by the earning rules and the member's tier
 * @throws AppError RECEIPT_NOT_FOUND, MEMBER_NOT_FOUND (404), RECEIPT_DECIDED, MEMBER_CLOSED (409),
 * VALIDATION_FAILED, AMOUNT_OVER_CAP (400), RATE_LIMITED (429), GUARD_UNAVAILABLE, PEER_UNAVAILABLE (503)
 */
export async function reviewReceipt(ctx: Context, id: string, review: Review): Promise<Receipt> {
  await guardWrite(ctx, 'value');
  const reason = optionalText('reason', review.reason, REASON_LENGTH_MAX);
  const given = checkPoints(ctx, review);
  const receipt = await findReceipt(ctx, id);
  if (!receipt) throw notFound('receipt', id);
  if (receipt.decidedAt) throw decided(receipt);
  const points = review.decision === 'REJECT' ? null : await pointsOf(ctx, receipt, given);
  const status = points === null ? 'REJECTED' : 'APPROVED';
  return ctx.transaction((tx) => decide(tx, receipt, { status, points, reason }));
}

function checkPoints(ctx: Context, { decision, points = null }: Review): number | null {
  if (points === null) return null;
  if (decision === 'REJECT') throw invalid('points', 'can only be given with APPROVE');
  if (points < 0) throw invalid('points', atLeast(0));
  guardValue(ctx, 'points', points);
  return points;
}

async function pointsOf(ctx: Context, receipt: Receipt, given: number | null): Promise<number> {
  const { tierMultiplier } = await getOpenMember(ctx, receipt.memberId);
  const points = given ?? (await receiptPoints(ctx, receipt, tierMultiplier));
  if (points === null)
    throw invalid('points', 'must be given: no total in a known currency was read from this receipt');
  guardValue(ctx, 'points', points);
  return points;
}

/**
 * Points for an approval without a reviewer; null if a reviewer has to decide.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function pointsForAutoApproval(
  ctx: Context,
  facts: Pick<Receipt, 'totalMinor' | 'currency' | 'purchasedOn' | 'memberId'>,
): Promise<number | null> {
  const member = await findMember(ctx, facts.memberId);
  if (!isOpen(member)) return null;
  const points = await receiptPoints(ctx, facts, member.tierMultiplier);
  // More points than a ledger holds are a misread total.
  return points !== null && points <= Math.min(ctx.caller.limits.valueCap, POINTS_MAX) ? points : null;
}

/**
 * Writes and publishes the decision, and has the picture deleted in 90 days.
 *
 * @throws AppError RECEIPT_DECIDED (409)
 */
export async function decide(tx: Context, { id }: Receipt, decision: Decision): Promise<Receipt> {
  const after = await saveDecision(tx, id, decision);
  if (!after) throw decided({ id });
  if (decision.status === 'REJECTED') await releaseFingerprints(tx, id);
  await scheduleImageDeletion(tx, id);
  const { memberId, status, pointsAwarded } = after;
  const points = pointsAwarded ?? 0;
  await publish(tx, receiptProcessed, { receiptId: id, memberId, status: decision.status, points });
  const change = { action: 'reviewReceipt', resourceType: 'Receipt', resourceId: id };
  await audit(tx, { ...change, after: { status, pointsAwarded } });
  return after;
}

const decided = ({ id }: Pick<Receipt, 'id'>) =>
  conflict('RECEIPT_DECIDED', `The receipt ${id} is decided already; a decision is final.`);
