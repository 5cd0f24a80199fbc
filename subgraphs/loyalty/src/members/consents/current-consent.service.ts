import type { Context } from '@loyalty/platform/context';
import { findMember } from '../members/members.service.ts';
import { OPEN_STATUSES } from '../members/open-statuses.ts';
import type { ConsentPurpose } from './consent-purposes.ts';
import { consentsOf } from './consents.service.ts';

/**
 * Whether a member consents to a purpose now. False for members who are unknown or about to be erased, and
 * while processing is restricted: then their data may only be stored.
 *
 * @remarks Source: GDPR articles 7 and 18
 */
export async function hasConsentNow(
  ctx: Context,
  memberId: string,
  purpose: ConsentPurpose,
): Promise<boolean> {
  const member = await findMember(ctx, memberId);
  if (!member || member.isRestricted || !OPEN_STATUSES.some((status) => status === member.status))
    return false;
  const consents = await consentsOf(ctx, memberId);
  return consents.some((consent) => consent.purpose === purpose && consent.isGranted);
}
