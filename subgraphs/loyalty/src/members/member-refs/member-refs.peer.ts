import type { Context } from '@loyalty/platform/context';
import type { MemberStatus } from '../members/members.store.ts';

/** What other subgraphs may know of a member. */
export interface MemberRef {
  readonly id: string;
  readonly status: Exclude<MemberStatus, 'DELETED'>;
  /** Of the index context EMAIL_INDEX. */
  readonly emailIndex: string | null;
  readonly externalId: string | null;
  /** Processing is restricted at the member's request. */
  readonly isRestricted: boolean;
  /** Points of orders and receipts are multiplied by it; 1 without a tier. */
  readonly tierMultiplier: number;
  /** Of the current tier; null without one. */
  readonly tierName: string | null;
}

/** A member in an answer of another subgraph, whose fields this subgraph adds. */
export interface MemberReference {
  readonly id: string;
}

const MEMBER_REFS = `query MemberRefs($ids: [ID!], $emailIndexes: [String!], $externalIds: [String!]) {
  _memberRefs(ids: $ids, emailIndexes: $emailIndexes, externalIds: $externalIds)
}`;

/**
 * Members that have one of the ids, address indexes or external ids; unknown and erased members are left out.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function findMembers(
  ctx: Context,
  wanted: {
    readonly ids?: readonly string[];
    /** Of the index context EMAIL_INDEX. */
    readonly emailIndexes?: readonly string[];
    readonly externalIds?: readonly string[];
  },
): Promise<MemberRef[]> {
  const answer = await ctx.services.peers.ask(ctx, 'loyalty', { query: MEMBER_REFS, variables: wanted });
  return answer['_memberRefs'] as MemberRef[];
}

/** One member by id; null when the workspace has none. @throws AppError PEER_UNAVAILABLE (503) */
export async function findMember(ctx: Context, id: string): Promise<MemberRef | null> {
  const [member] = await findMembers(ctx, { ids: [id] });
  return member ?? null;
}
