import { AppError, isTransient } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { publishAll } from '@loyalty/platform/work/events';
import type {
  JourneyPointsInput,
  JourneyStepEntryInput,
  JourneyStepInput,
  JourneyStepRefusal,
} from '#generated/schema';
import { getIssuingPool } from '../coupons/coupon-pools.service.ts';
import { noteDraw } from '../coupons/coupon-stock.service.ts';
import { couponIssued } from '../coupons/coupons.events.ts';
import { drawCoupon, publishIssued } from '../coupons/coupons.service.ts';
import { lockMembersForUpdate, OPEN_STATUSES } from '../members/members.service.ts';
import { checkTagKeys } from '../members/tag-keys.ts';
import { putTags, takeTags } from '../members/tags.service.ts';
import { awardMany } from '../points/append-many.service.ts';
import {
  bookedSources,
  issueCodes,
  issuedSources,
  lockNextCodes,
  setCouponSource,
  statusesOf,
} from './journey-steps.store.ts';

/** Refusal codes by member. */
type Refusals = Record<string, string>;

/**
 * Does a step of journeys for members, once for each key, even if it is requested repeatedly.
 *
 * @returns the members for whom nothing was done, with the reason: MEMBER_NOT_FOUND, MEMBER_CLOSED,
 *   BALANCE_LIMIT, POOL_EXHAUSTED, POOL_UNAVAILABLE, COUPON_POOL_NOT_FOUND
 * @throws AppError POOL_BUSY (409) while the last codes of a pool are being taken
 */
export async function performStep(ctx: Context, request: JourneyStepInput): Promise<JourneyStepRefusal[]> {
  return ctx.transaction(async (tx) => {
    const refusals: Refusals = {};
    const memberIds = request.entries.map(({ memberId }) => memberId);
    await lockMembersForUpdate(tx, memberIds);
    const statuses = await statusesOf(tx, memberIds);
    const open = request.entries.filter(({ memberId }) => {
      const refusal = refusalOf(statuses.get(memberId));
      if (refusal) refusals[memberId] = refusal;
      return !refusal;
    });
    if (open.length > 0) await doStep(tx, request, open, refusals);
    return Object.entries(refusals).map(([memberId, reason]) => ({ memberId, reason }));
  });
}

async function doStep(
  tx: Context,
  { awardPoints, couponPoolId, addTag, removeTag }: JourneyStepInput,
  open: readonly JourneyStepEntryInput[],
  refusals: Refusals,
): Promise<void> {
  const memberIds = open.map(({ memberId }) => memberId);
  if (awardPoints) await award(tx, awardPoints, open, refusals);
  if (couponPoolId) await issueCoupons(tx, couponPoolId, open, refusals);
  if (addTag) await addTags(tx, memberIds, addTag);
  if (removeTag) await takeTags(tx, memberIds, [checkTagKeys('tag', [removeTag])[0]!.key]);
}

function refusalOf(status: string | undefined): string | null {
  if (!status || status === 'DELETED') return 'MEMBER_NOT_FOUND';
  return (OPEN_STATUSES as readonly string[]).includes(status) ? null : 'MEMBER_CLOSED';
}

async function award(
  tx: Context,
  { amount, description }: JourneyPointsInput,
  open: readonly JourneyStepEntryInput[],
  refusals: Refusals,
): Promise<void> {
  const booked = await bookedSources(
    tx,
    open.map(({ key }) => key),
  );
  const wanted = open.filter(({ key }) => !booked.has(key));
  const entries = wanted.map(({ memberId, key: source }) => ({
    ...{ id: newId(tx.clock), memberId, kind: 'AWARD' as const },
    ...{ amount, description, actor: tx.caller.actor, source },
  }));
  const awarded = new Set(await awardMany(tx, entries));
  for (const { memberId } of wanted) if (!awarded.has(memberId)) refusals[memberId] = 'BALANCE_LIMIT';
}

async function issueCoupons(
  tx: Context,
  poolId: string,
  open: readonly JourneyStepEntryInput[],
  refusals: Refusals,
): Promise<void> {
  const issued = await issuedSources(
    tx,
    open.map(({ key }) => key),
  );
  const wanted = open.filter(({ key }) => !issued.has(key));
  if (wanted.length === 0) return;
  let place = 0;
  try {
    const pool = await getIssuingPool(tx, poolId);
    const codeIds = await lockNextCodes(tx, poolId, wanted.length);
    const coupons = await issueCodes(tx, codeIds, wanted);
    if (coupons.length > 0) await noteDraw(tx, pool);
    await publishAll(
      tx,
      couponIssued,
      coupons.map(({ id: couponId, memberId }) => ({ couponId, poolId, memberId, captureId: null })),
    );
    // The last codes are taken one by one: other transactions may have locked them, or may return them.
    for (place = codeIds.length; place < wanted.length; place += 1) {
      const { memberId, key } = wanted[place]!;
      const coupon = await drawCoupon(tx, pool, { status: 'ISSUED', memberId });
      await setCouponSource(tx, coupon.id, key);
      await publishIssued(tx, coupon);
    }
  } catch (error) {
    if (!(error instanceof AppError) || isTransient(error)) throw error;
    for (const { memberId } of wanted.slice(place)) refusals[memberId] = error.code;
  }
}

async function addTags(tx: Context, memberIds: readonly string[], tag: string): Promise<void> {
  const tags = checkTagKeys('tag', [tag]);
  await putTags(
    tx,
    memberIds.map((memberId) => ({ memberId, tags })),
    'AUTOMATION',
  );
}
