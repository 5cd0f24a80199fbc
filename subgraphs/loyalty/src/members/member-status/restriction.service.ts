import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/operations/audit';
import { publish } from '@loyalty/platform/outbox/events';
import { getMember, type Member, unmasked } from '../members/members.service.ts';
import { changeRestriction } from './member-activity.store.ts';
import { memberRestrictionChanged } from './member-status.events.ts';

/**
 * Restricts the processing of a member's data at the member's request, or ends the restriction. Predictions
 * and mails read the flag before they start, and again before a result is stored or shown. The same call
 * again changes nothing.
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
