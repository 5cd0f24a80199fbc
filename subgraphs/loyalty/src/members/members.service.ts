import { notFound } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import type { MemberRanges, MemberRef, Query_AnalysableMembersArgs } from '#generated/schema';
import { findAnalysable, findRanges, findRefs, type WantedRanges } from './member-refs.store.ts';
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

/** Statuses of members who can receive and spend points: not erased, and without a pending erasure. */
export const OPEN_STATUSES = ['PENDING', 'ACTIVE', 'UNSUBSCRIBED', 'INACTIVE'] as const;

/**
 * Returns one member with personal fields unmasked; null if there is none, or the member was erased.
 *
 * @remarks Source: v2 REST API, section 4 "Members", GET /members/{id}
 */
export async function findMember(ctx: Context, id: string): Promise<Member | null> {
  const member = await ctx.load(memberById, id);
  return member && member.status !== 'DELETED' ? unmasked(member) : null;
}

/**
 * Loads a member for an object that refers to it, also an erased one, with personal fields masked; null if
 * the workspace has none.
 */
export const referredMember = (ctx: Context, id: string): Promise<Member | null> => ctx.load(memberById, id);

/**
 * Returns the member without the loader's cache, for services that act on it; erased members are not found.
 *
 * @throws AppError MEMBER_NOT_FOUND (404)
 */
export async function getMember(ctx: Context, id: string): Promise<Member> {
  const member = await findRow(ctx, id);
  if (!member || member.status === 'DELETED') throw notFound('member', id);
  return member;
}

/**
 * Like `getMember`, and locks the member against erasure until the transaction ends: for writes of data about
 * the member in other tables. `lockMembersForUpdate` also keeps others from changing the rows.
 *
 * @throws AppError MEMBER_NOT_FOUND (404)
 */
export async function lockMember(tx: Context, id: string): Promise<Member> {
  const member = await lockRow(tx, id);
  if (!member) throw notFound('member', id);
  return member;
}

type Names = readonly string[] | null | undefined;

/** Returns members that have one of the ids, address indexes or external ids; unknown ones are left out. */
export const memberRefs = (
  ctx: Context,
  wanted: { readonly ids?: Names; readonly emailIndexes?: Names; readonly externalIds?: Names },
): Promise<MemberRef[]> =>
  findRefs(ctx, {
    ids: wanted.ids ?? [],
    emailIndexes: wanted.emailIndexes ?? [],
    externalIds: wanted.externalIds ?? [],
  });

/** Divides the members after an id who may be analysed into ranges, sorted by id. */
export const listRanges = (ctx: Context, wanted: WantedRanges): Promise<MemberRanges> =>
  findRanges(ctx, wanted);

/** Returns members of a range who may be analysed, sorted by id; only those in `ids`, unless it is empty. */
export const listAnalysable = (ctx: Context, wanted: Query_AnalysableMembersArgs): Promise<string[]> =>
  findAnalysable(ctx, wanted);
