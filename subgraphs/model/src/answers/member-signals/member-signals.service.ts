import type { Context } from '@loyalty/platform/context';
import type { MemberSignals } from '#generated/schema';
import { findMembers } from '../../members/members.service.ts';
import { nextOrders } from '../../scoring/member-predictions/member-predictions.service.ts';
import { savedScoresOf } from '../member-states/member-states.service.ts';

/** What segments know of saved states and predictions of members; members are read together. */
export async function memberSignals(ctx: Context, memberIds: readonly string[]): Promise<MemberSignals[]> {
  if (memberIds.length === 0) return [];
  const members = await findMembers(ctx, { ids: memberIds });
  const ids = members.flatMap(({ id, isRestricted }) => (isRestricted ? [] : [id]));
  const scores = new Map((await savedScoresOf(ctx, ids)).map((row) => [row.memberId, row]));
  const orders = await nextOrders(ctx, ids);
  return ids.map((memberId) => ({
    memberId,
    purchaseScore: scores.get(memberId)?.purchase ?? null,
    longGapScore: scores.get(memberId)?.longGap ?? null,
    cartRemovalScore: scores.get(memberId)?.cartRemoval ?? null,
    overdueCycles: scores.get(memberId)?.overdueCycles ?? null,
    nextOrderOn: orders.get(memberId)?.expectedNextOrderOn ?? null,
    nextOrderConfidence: orders.get(memberId)?.nextOrder?.confidence ?? null,
    isLikelyLapsed: orders.get(memberId)?.unavailableBecause === 'LIKELY_LAPSED',
  }));
}
