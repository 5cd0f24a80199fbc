import type { Context } from '@loyalty/platform/context';

/** The members after one id, up to another. */
export interface MembersBetween {
  readonly afterId: string;
  readonly toId: string;
}

/** Ranges that follow each other. */
export interface MemberRanges {
  /** The last id of each range. */
  readonly toIds: readonly string[];
  /** Members in all of them. */
  readonly members: number;
  /** No member follows. */
  readonly isLast: boolean;
}

const RANGES = `query MemberRanges($afterId: ID!, $createdBy: DateTime!, $size: Int!, $ranges: Int!) {
  _memberRanges(afterId: $afterId, createdBy: $createdBy, size: $size, ranges: $ranges)
}`;

/**
 * Divides the members after an id into ranges of `size`, at most `ranges` of them, in the order of their ids.
 * Only members who may be analysed count: active, unrestricted and there since before `createdBy`.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function memberRanges(
  ctx: Context,
  wanted: {
    readonly afterId: string;
    readonly createdBy: Date;
    readonly size: number;
    readonly ranges: number;
  },
): Promise<MemberRanges> {
  const variables = { ...wanted, createdBy: wanted.createdBy.toISOString() };
  const answer = await ctx.services.peers.ask(ctx, 'loyalty', { query: RANGES, variables });
  return answer['_memberRanges'] as MemberRanges;
}

const ANALYSABLE = `query AnalysableMembers($afterId: ID!, $toId: ID!, $ids: [ID!]!, $createdBy: DateTime!) {
  _analysableMembers(afterId: $afterId, toId: $toId, ids: $ids, createdBy: $createdBy)
}`;

/**
 * Ids of the members of a range who may be analysed at this moment, in their order.
 *
 * @param only - of these only; all where it is empty
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function analysableMembers(
  ctx: Context,
  { afterId, toId }: MembersBetween,
  { only, createdBy }: { readonly only: readonly string[]; readonly createdBy: Date },
): Promise<string[]> {
  const variables = { afterId, toId, ids: only, createdBy: createdBy.toISOString() };
  const answer = await ctx.services.peers.ask(ctx, 'loyalty', { query: ANALYSABLE, variables });
  return answer['_analysableMembers'] as string[];
}
