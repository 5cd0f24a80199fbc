import { invalid } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { checkText } from '@loyalty/platform/base/input';
import { atLeast } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, page, pageRequest } from '@loyalty/platform/database/pages';
import { audit } from '@loyalty/platform/identity/audit';
import { guardValue, guardWrite } from '@loyalty/platform/identity/write-guard';
import { publish } from '@loyalty/platform/work/events';
import { moves } from '../member-status/member-status.moves.ts';
import { type Member, OPEN_STATUSES } from '../members/members.service.ts';
import { countEntries, entriesBehind, redeemedByMember } from './all-entries.store.ts';
import { append } from './append-entry.service.ts';
import { pointsAdjusted, pointsAwarded } from './points.events.ts';
import { memberEntries, type PointsTransaction } from './points.store.ts';

export { countEntries, entriesBehind };

const DESCRIPTION_LENGTH_MAX = 500;

const PAGE_SIZE_DEFAULT = 10;

export interface AwardPoints {
  readonly amount: number;
  readonly description?: string | null | undefined;
}

/**
 * Adds points to a member's ledger and returns the new entry. The award is an activity: a pending or inactive
 * member becomes active. A member who reaches a higher tier is upgraded in the same statement, and the
 * upgrade is published once. If the programme has a pending period, the returned entry has `availableAt` and
 * is not in the balance yet.
 *
 * @param input.amount - points, 1 to the workspace's cap per call
 * @throws AppError AMOUNT_OVER_CAP, VALIDATION_FAILED (400), MEMBER_NOT_FOUND (404), MEMBER_CLOSED,
 *   BALANCE_LIMIT (409), RATE_LIMITED (429), GUARD_UNAVAILABLE (503)
 * @remarks Source: v2 REST API, section 4 "Members", POST /members/{id}/points
 */
export async function awardPoints(
  ctx: Context,
  memberId: string,
  input: AwardPoints,
): Promise<PointsTransaction> {
  await guardWrite(ctx, 'value');
  const { amount } = input;
  const description = gathered((check) => {
    check(() => {
      guardValue(ctx, 'input.amount', amount);
      if (amount < 1) throw invalid('input.amount', atLeast(1));
    });
    return input.description?.trim()
      ? checkText('input.description', input.description, DESCRIPTION_LENGTH_MAX)
      : 'Points awarded';
  });
  return ctx.transaction(async (tx) => {
    const change = {
      kind: 'AWARD',
      memberId,
      amount,
      description,
      earned: amount,
      allowedStatuses: OPEN_STATUSES,
      activates: moves.BE_ACTIVE.from,
    } as const;
    const entry = await append(tx, change);
    if (!entry.availableAt) await publish(tx, pointsAwarded, { memberId, transactionId: entry.id, amount });
    return entry;
  });
}

/**
 * Corrects a member's points by a separate entry; a correction is not an activity of the member.
 *
 * @param amount - points; negative to debit
 * @throws AppError AMOUNT_OVER_CAP, VALIDATION_FAILED (400), MEMBER_NOT_FOUND (404), INSUFFICIENT_POINTS,
 *   MEMBER_CLOSED, BALANCE_LIMIT (409), RATE_LIMITED (429), GUARD_UNAVAILABLE (503)
 * @remarks Source: requirements L-PTS-11
 */
export async function adjustPoints(
  ctx: Context,
  memberId: string,
  amount: number,
  reason: string,
): Promise<PointsTransaction> {
  await guardWrite(ctx, 'value');
  const description = gathered((check) => {
    check(() => {
      guardValue(ctx, 'amount', amount);
      if (amount === 0) throw invalid('amount', 'must not be 0');
    });
    return checkText('reason', reason, DESCRIPTION_LENGTH_MAX);
  });
  return ctx.transaction(async (tx) => {
    const change = {
      kind: 'ADJUSTMENT',
      memberId,
      amount,
      description,
      earned: Math.max(amount, 0),
      allowedStatuses: OPEN_STATUSES,
      activates: [],
    } as const;
    const entry = await append(tx, change);
    await publish(tx, pointsAdjusted, { memberId, transactionId: entry.id, amount });
    const after = { amount, balanceAfter: entry.balanceAfter, transactionId: entry.id };
    await audit(tx, { action: 'adjustPoints', resourceType: 'Member', resourceId: memberId, after });
    return entry;
  });
}

/**
 * Returns a page of a member's ledger, newest entry first. Batched by member.
 *
 * @throws AppError VALIDATION_FAILED for paging out of bounds
 * @remarks Source: v2 REST API, section 4 "Members", GET /members/{id}/points
 */
export async function listPointsTransactions(
  ctx: Context,
  member: Member,
  args: PageArgs,
): Promise<Page<PointsTransaction>> {
  const request = pageRequest(args, PAGE_SIZE_DEFAULT);
  const rows = await memberEntries(ctx, member.id, request);
  return page(request, rows, async () => member.pointsSequence);
}

/** The sums of a member's ledger, in points. */
export interface PointsSummary {
  readonly balance: number;
  readonly earnedTotal: bigint;
  readonly redeemedTotal: bigint;
  readonly computedAt: Date;
}

/**
 * Returns the sums of a member's ledger. Batched by member.
 *
 * @remarks Source: v2 REST API, section 2, GET /members/{id}/profile; requirements L-PRO-05
 */
export const summarizePoints = async (ctx: Context, member: Member): Promise<PointsSummary> => ({
  balance: member.pointsBalance,
  earnedTotal: member.pointsEarned,
  redeemedTotal: (await ctx.load(redeemedByMember, member.id)) ?? 0n,
  computedAt: ctx.clock.now(),
});
