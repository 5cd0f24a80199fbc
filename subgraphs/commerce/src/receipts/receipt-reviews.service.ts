import { conflict, invalid, notFound } from '@loyalty/platform/base/errors';
import { atLeast } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/identity/audit';
import { guardValue, guardWrite } from '@loyalty/platform/identity/write-guard';
import { publish } from '@loyalty/platform/work/events';
import { evaluateEarning } from '../earning-rules/earning-rules.service.ts';
import { multiplied, POINTS_MAX } from '../earning-rules/evaluate-earning.ts';
import { isOpen } from '../members.ts';
import { optionalText } from '../optional-text.ts';
import { findMember } from '../peers.ts';
import {
  type Corrections,
  type CorrectionsInput,
  checkCorrections,
  purchaseFingerprint,
} from './receipt-corrections.ts';
import { scheduleImageDeletion } from './receipt-images.service.ts';
import { getOpenMember } from './receipt-members.service.ts';
import { receiptProcessed } from './receipts.events.ts';
import { findReceipt, type Receipt } from './receipts.service.ts';
import {
  claimFingerprint,
  type Decision,
  findClaimant,
  releaseFingerprints,
  releasePurchases,
  type StoredReading,
  saveDecision,
  setDuplicateOf,
} from './receipts.store.ts';

const REASON_LENGTH_MAX = 500;

interface Review {
  readonly decision: 'APPROVE' | 'REJECT';
  readonly points?: number | null | undefined;
  readonly reason?: string | null | undefined;
  readonly corrections?: CorrectionsInput | null | undefined;
  readonly acceptDuplicate?: boolean | null | undefined;
}

/**
 * Approves or rejects a receipt. The decision is final. A receipt that is a duplicate, or is not read yet,
 * can be decided, too. An event publishes the points, and loyalty books them soon after.
 *
 * @param review.points - given without a multiplier; default: by the earning rules and the member's tier
 * @param review.corrections - points and duplicates are recomputed with them; the former values are kept as
 * `reading`
 * @throws AppError RECEIPT_NOT_FOUND, MEMBER_NOT_FOUND, STORE_NOT_FOUND (404), RECEIPT_DECIDED,
 * RECEIPT_DUPLICATE, MEMBER_CLOSED (409), VALIDATION_FAILED, AMOUNT_OVER_CAP (400), RATE_LIMITED (429),
 * GUARD_UNAVAILABLE, PEER_UNAVAILABLE (503)
 */
export async function reviewReceipt(ctx: Context, id: string, review: Review): Promise<Receipt> {
  await guardWrite(ctx, 'value');
  const reason = optionalText('reason', review.reason, REASON_LENGTH_MAX);
  const given = checkPoints(ctx, review);
  const receipt = await getOpenReceipt(ctx, id);
  const corrections = await checkCorrections(ctx, receipt, review.corrections);
  const corrected = { ...receipt, ...corrections };
  const points = review.decision === 'REJECT' ? null : await pointsOf(ctx, corrected, given);
  const status = points === null ? 'REJECTED' : 'APPROVED';
  const isDuplicateAccepted = review.acceptDuplicate ?? false;
  return ctx.transaction((tx) =>
    decide(tx, receipt, { status, points, reason }, corrections, isDuplicateAccepted),
  );
}

/** The points that an approval would give. */
export interface PointsPreview {
  readonly points: number | null;
  readonly duplicateOfId: string | null;
}

/**
 * Computes the points that an approval with these corrections would give now. Writes nothing.
 *
 * @throws AppError as `reviewReceipt`, without the errors of limits and of given points
 */
export async function previewReceiptPoints(
  ctx: Context,
  id: string,
  input: CorrectionsInput | null | undefined,
): Promise<PointsPreview> {
  const receipt = await getOpenReceipt(ctx, id);
  const corrections = await checkCorrections(ctx, receipt, input);
  const { tierMultiplier } = await getOpenMember(ctx, receipt.memberId);
  const corrected = { ...receipt, ...corrections };
  const points = await receiptPoints(ctx, corrected, tierMultiplier);
  const purchase = purchaseFingerprint(corrected);
  const first = purchase === null ? null : await findClaimant(ctx, purchase);
  return { points, duplicateOfId: duplicateAfter(receipt, corrections, first) };
}

/** @throws AppError RECEIPT_NOT_FOUND (404), RECEIPT_DECIDED (409) */
async function getOpenReceipt(ctx: Context, id: string): Promise<Receipt> {
  const receipt = await findReceipt(ctx, id);
  if (!receipt) throw notFound('receipt', id);
  if (receipt.decidedAt) throw decided(receipt);
  return receipt;
}

/** The earlier receipt with the same picture, or with the purchase of the corrections. */
function duplicateAfter(
  { id, ocrStatus, duplicateOfId }: Receipt,
  corrections: Corrections,
  claimant: string | null,
): string | null {
  // A correction does not change the picture.
  const isSamePicture = duplicateOfId !== null && ocrStatus === 'SKIPPED';
  if (isSamePicture || Object.keys(corrections).length === 0) return duplicateOfId;
  return claimant === id ? null : claimant;
}

function checkPoints(ctx: Context, { decision, points = null, corrections }: Review): number | null {
  if (corrections && decision === 'REJECT') throw invalid('corrections', 'can only be given with APPROVE');
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
  // If the points exceed the maximum, the total was probably misread.
  return points !== null && points <= Math.min(ctx.caller.limits.valueCap, POINTS_MAX) ? points : null;
}

/**
 * Writes and publishes the decision, and schedules the deletion of the picture in 90 days.
 *
 * @param corrections - the fields that a reviewer changes; default: none
 * @throws AppError RECEIPT_DECIDED, RECEIPT_DUPLICATE (409)
 */
export async function decide(
  tx: Context,
  receipt: Receipt,
  decision: Decision,
  corrections: Corrections = {},
  isDuplicateAccepted = false,
): Promise<Receipt> {
  const { id } = receipt;
  const saved = await saveDecision(tx, id, decision, corrections);
  if (!saved) throw decided({ id });
  const after = saved.reading
    ? await recheckDuplicate(tx, receipt, saved, corrections, isDuplicateAccepted)
    : saved;
  if (decision.status === 'REJECTED') await releaseFingerprints(tx, id);
  await scheduleImageDeletion(tx, id);
  const { memberId, status, pointsAwarded } = after;
  const points = pointsAwarded ?? 0;
  await publish(tx, receiptProcessed, { receiptId: id, memberId, status: decision.status, points });
  const change = { action: 'reviewReceipt', resourceType: 'Receipt', resourceId: id };
  const before = saved.reading && { before: auditedFacts(saved.reading, corrections) };
  await audit(tx, {
    ...change,
    ...before,
    after: { status, pointsAwarded, ...auditedFacts(after, corrections) },
  });
  return after;
}

/**
 * Repeats the search for an earlier receipt with the corrected purchase. Claims the purchase if there is
 * none, and releases the misread purchase, so that other receipts can claim it.
 */
async function recheckDuplicate(
  tx: Context,
  receipt: Receipt,
  saved: Receipt,
  corrections: Corrections,
  isDuplicateAccepted: boolean,
): Promise<Receipt> {
  const purchase = purchaseFingerprint(saved);
  const first = purchase === null ? null : await claimFingerprint(tx, purchase, saved.id);
  const duplicateOfId = duplicateAfter(receipt, corrections, first);
  const isKnown = duplicateOfId === receipt.duplicateOfId;
  if (duplicateOfId !== null && !isKnown && !isDuplicateAccepted) throw duplicate(saved, duplicateOfId);
  await releasePurchases(tx, saved.id, purchase);
  return isKnown ? saved : setDuplicateOf(tx, saved.id, duplicateOfId);
}

/**
 * The corrections in an audit entry. Texts may contain personal data, so only the names of changed texts are
 * included.
 */
function auditedFacts(
  { currency, totalMinor, purchasedOn, storeId }: StoredReading | Receipt,
  corrections: Corrections,
): Record<string, unknown> {
  const facts = {
    currency,
    totalMinor: totalMinor === null ? null : String(totalMinor),
    purchasedOn,
    storeId,
  };
  const changed = Object.entries(facts).filter(([name]) => name in corrections);
  const texts = ['merchant', 'items'].filter((name) => name in corrections);
  return { ...Object.fromEntries(changed), ...(texts.length > 0 && { corrected: texts }) };
}

const decided = ({ id }: Pick<Receipt, 'id'>) =>
  conflict('RECEIPT_DECIDED', `The receipt ${id} is decided already; a decision is final.`);

const duplicate = ({ id }: Pick<Receipt, 'id'>, first: string) =>
  conflict(
    'RECEIPT_DUPLICATE',
    `By its correction the receipt ${id} shows the purchase of the receipt ${first}; nothing was decided. ` +
      'Reject it, or approve it with acceptDuplicate.',
  );

/**
 * Points that a receipt earns by the earning rules, times the multiplier of the member's tier. A receipt does
 * not name products of the catalog, so bonuses for products and categories do not apply.
 *
 * @returns null if no total in a known currency was read
 */
async function receiptPoints(
  ctx: Context,
  receipt: Pick<Receipt, 'totalMinor' | 'currency' | 'purchasedOn'>,
  tierMultiplier: number,
): Promise<number | null> {
  const { totalMinor, currency, purchasedOn } = receipt;
  if (totalMinor === null || currency === null) return null;
  const occurredAt = purchasedOn ? new Date(`${purchasedOn}T12:00:00.000Z`) : ctx.clock.now();
  const earning = await evaluateEarning(ctx, {
    kind: 'RECEIPT',
    totalMinor,
    currency,
    occurredAt,
    items: [],
  });
  return multiplied(earning.points, tierMultiplier);
}
