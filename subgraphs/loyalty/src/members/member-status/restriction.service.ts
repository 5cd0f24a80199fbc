import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/operations/audit';
import { publish } from '@loyalty/platform/outbox/events';
import { getMember, type Member, unmasked } from '../members/members.service.ts';
import { changeRestriction } from './member-activity.store.ts';
import { memberRestrictionChanged } from './member-status.events.ts';

/**
 * Restricts the processing of a member's data at its request, or lifts the restriction. Whoever predicts or
 * mails reads the flag again before it begins and before it keeps or shows what came out. What holds already
 * changes nothing.
 *
 * @throws AppError MEMBER_NOT_FOUND (404)
 * @remarks Source: requirements L-MEM-30
 */
export async function restrictProcessing(
  ctx: Context,
  memberId: string,
  isRestricted: boolean,
): Promise<Member> {
  return ctx.transaction(async (tx) => {
    if (await changeRestriction(tx, memberId, isRestricted)) {
      await publish(tx, memberRestrictionChanged, { memberId, isRestricted });
      const shown = { before: { isRestricted: !isRestricted }, after: { isRestricted } };
      const what = { action: 'restrictProcessing', resourceType: 'Member', resourceId: memberId };
      await audit(tx, { ...what, ...shown });
    }
    return unmasked(await getMember(tx, memberId));
  });
}
