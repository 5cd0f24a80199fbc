import { conflict, notFound } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import type { MemberRefFragment } from '#generated/peers';
import { isOpen } from '../members.ts';
import { findMember } from '../peers.ts';

/**
 * Returns a member who can earn points: it exists and its erasure is not pending.
 *
 * @throws AppError MEMBER_NOT_FOUND (404), MEMBER_CLOSED (409), PEER_UNAVAILABLE (503)
 */
export async function getOpenMember(ctx: Context, memberId: string): Promise<MemberRefFragment> {
  const member = await findMember(ctx, memberId);
  if (!member) throw notFound('member', memberId);
  if (!isOpen(member)) {
    throw conflict('MEMBER_CLOSED', "This member's erasure is pending. Cancel the erasure first.");
  }
  return member;
}
