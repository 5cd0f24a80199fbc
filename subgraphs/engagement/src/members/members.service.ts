import type { Context } from '@loyalty/platform/context';

/** What the loyalty subgraph tells of a member; its member-refs slice answers. */
export interface MemberRef {
  readonly id: string;
  readonly emailIndex: string | null;
  readonly isRestricted: boolean;
}

const MEMBER_REFS = 'query MemberRefs($ids: [ID!]) { _memberRefs(ids: $ids) }';

/** One member by id; null when the workspace has none. @throws AppError PEER_UNAVAILABLE (503) */
export async function findMember(ctx: Context, id: string): Promise<MemberRef | null> {
  const answer = await ctx.services.peers.ask(ctx, 'loyalty', {
    query: MEMBER_REFS,
    variables: { ids: [id] },
  });
  const [member] = answer['_memberRefs'] as MemberRef[];
  return member ?? null;
}
