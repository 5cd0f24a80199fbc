import type { Context } from '@loyalty/platform/context';
import { notFound } from '@loyalty/platform/errors';
import {
  type EnrollmentSource,
  endOfChunk,
  findMember as findRow,
  lockMembersForUpdate,
  lockMember as lockRow,
  type Member,
  type MemberDetails,
  type MemberStatus,
  memberById,
  scopesWithMembers,
} from './members.store.ts';
import { unmasked } from './personal-fields.ts';

export type { EnrollmentSource, Member, MemberDetails, MemberStatus };

export { endOfChunk, lockMembersForUpdate, scopesWithMembers, unmasked };

/**
 * One member with personal fields unmasked; null when there is none, or the member was erased.
 *
 * @remarks Source: v2 REST API, section 4 "Members", GET /members/{id}
 */
export async function findMember(ctx: Context, id: string): Promise<Member | null> {
  const member = await ctx.load(memberById, id);
  return member && member.status !== 'DELETED' ? unmasked(member) : null;
}

/**
 * A member that something refers to, erased ones too, personal fields masked; null when the workspace has
 * none.
 */
export const referredMember = (ctx: Context, id: string): Promise<Member | null> => ctx.load(memberById, id);

/**
 * The member as it is now, for slices that act on it; erased ones do not exist any more.
 *
 * @throws AppError MEMBER_NOT_FOUND (404)
 */
export async function getMember(ctx: Context, id: string): Promise<Member> {
  const member = await findRow(ctx, id);
  if (!member || member.status === 'DELETED') throw notFound('member', id);
  return member;
}

/**
 * As `getMember`, and nobody erases the member before the transaction ends: for writes of data about the
 * member in other tables. `lockMembersForUpdate` also keeps others from changing the rows.
 *
 * @throws AppError MEMBER_NOT_FOUND (404)
 */
export async function lockMember(tx: Context, id: string): Promise<Member> {
  const member = await lockRow(tx, id);
  if (!member) throw notFound('member', id);
  return member;
}

/** Statuses of members who can get and spend points: not erased, and without a pending erasure. */
export const OPEN_STATUSES = ['PENDING', 'ACTIVE', 'UNSUBSCRIBED', 'INACTIVE'] as const;
