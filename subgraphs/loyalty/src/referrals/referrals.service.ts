import { conflict } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { guardWrite } from '@loyalty/platform/identity/write-guard';
import { publish } from '@loyalty/platform/work/events';
import { findMember, getMember, type Member, unmasked } from '../members/members.service.ts';
import { openPersonal } from '../members/personal-fields.ts';
import { type AmbassadorCode, getLiveCode } from './ambassador-codes.service.ts';
import { referralEnrolled, referralPurchased } from './referrals.events.ts';
import { findReferral, insertReferral, insertReferredOrder, type Referral } from './referrals.store.ts';

/**
 * Records that an ambassador's code brought a member; a repeated call with the same ambassador has no effect.
 *
 * @throws AppError MEMBER_NOT_FOUND (404), REFERRAL_CODE_INVALID (400), SELF_REFERRAL, MEMBER_CLOSED,
 *   REFERRAL_EXISTS (409), RATE_LIMITED (429), GUARD_UNAVAILABLE (503)
 */
export async function attributeReferral(ctx: Context, memberId: string, code: string): Promise<Referral> {
  await guardWrite(ctx, 'record');
  return ctx.transaction(async (tx) => {
    const member = await getMember(tx, memberId);
    if (member.status === 'DEACTIVATION_PENDING')
      throw conflict('MEMBER_CLOSED', "This member's erasure is pending. Cancel it before it is attributed.");
    const live = await getLiveCode(tx, 'code', code);
    const outcome = await attribute(tx, member, live);
    if (outcome === 'SELF')
      throw conflict('SELF_REFERRAL', 'Members cannot refer themselves. Send the code of another member.');
    const referral = (await findReferral(tx, memberId))!;
    if (referral.ambassadorId === live.memberId) return referral;
    throw conflict('REFERRAL_EXISTS', 'Another ambassador brought this member before.');
  });
}

/**
 * Records, in the caller's transaction, the ambassador who brought a member: once per member, and never the
 * member itself, even with another spelling of the same address.
 *
 * @returns `KNOWN` if the member has an ambassador already, `SELF` if member and ambassador are one person
 */
export async function attribute(
  tx: Context,
  member: Member,
  code: AmbassadorCode,
): Promise<'NEW' | 'KNOWN' | 'SELF'> {
  const ambassador = await findMember(tx, code.memberId);
  if (!ambassador || (await isSamePerson(tx, member, ambassador))) return 'SELF';
  const referral = { memberId: member.id, ambassadorId: ambassador.id, codeId: code.id };
  if (!(await insertReferral(tx, referral))) return 'KNOWN';
  await publish(tx, referralEnrolled, referral);
  return 'NEW';
}

async function isSamePerson(ctx: Context, one: Member, other: Member): Promise<boolean> {
  if (one.id === other.id) return true;
  const [first, second] = await Promise.all(
    [one, other].map((who) => openPersonal(ctx, unmasked(who), 'email')),
  );
  return Boolean(first && second) && mailbox(first!) === mailbox(second!);
}

/** Mail to `ada+shop@example.com` arrives at `ada@example.com`. */
const mailbox = (email: string): string => email.replace(/\+[^@]*@/, '@');

/**
 * Counts an order of a member for the ambassador who brought it: once, even if the event arrives repeatedly.
 */
export async function attributeOrder(ctx: Context, orderId: string, memberId: string | null): Promise<void> {
  if (!memberId) return;
  await ctx.transaction(async (tx) => {
    const ambassadorId = await insertReferredOrder(tx, orderId, memberId);
    if (ambassadorId) await publish(tx, referralPurchased, { memberId, ambassadorId, orderId });
  });
}
