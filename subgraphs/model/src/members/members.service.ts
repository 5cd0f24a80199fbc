import type { Context } from '@loyalty/platform/context';

/** What the loyalty subgraph tells of a member; its member-refs slice answers. */
export interface MemberRef {
  readonly id: string;
  readonly status: 'PENDING' | 'ACTIVE' | 'UNSUBSCRIBED' | 'INACTIVE' | 'DEACTIVATION_PENDING';
  /** Of the index context EMAIL_INDEX. */
  readonly emailIndex: string | null;
  readonly externalId: string | null;
  /**
   * Processing is restricted at the member's request, or the member is being erased: nothing is computed
   * about it, kept or shown.
   */
  readonly isRestricted: boolean;
}

/** A member as other types point at it; what it is, the loyalty subgraph tells. */
export interface MemberKey {
  readonly id: string;
}

const MEMBER_REFS = `query MemberRefs($ids: [ID!], $emailIndexes: [String!], $externalIds: [String!]) {
  _memberRefs(ids: $ids, emailIndexes: $emailIndexes, externalIds: $externalIds)
}`;

/**
 * Members by any of their names; whoever the workspace does not have, or has erased, is left out.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function findMembers(
  ctx: Context,
  wanted: {
    readonly ids?: readonly string[];
    readonly emailIndexes?: readonly string[];
    readonly externalIds?: readonly string[];
  },
): Promise<MemberRef[]> {
  const answer = await ctx.services.peers.ask(ctx, 'loyalty', { query: MEMBER_REFS, variables: wanted });
  return (answer['_memberRefs'] as MemberRef[]).map((member) => ({
    ...member,
    isRestricted: member.isRestricted || member.status === 'DEACTIVATION_PENDING',
  }));
}

/** One member by id; null when the workspace has none. */
export async function findMember(ctx: Context, id: string): Promise<MemberRef | null> {
  const [member] = await findMembers(ctx, { ids: [id] });
  return member ?? null;
}
