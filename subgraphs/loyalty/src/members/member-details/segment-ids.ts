import type { Context } from '@loyalty/platform/context';
import type { PageRequest } from '@loyalty/platform/loading/pages';

const MEMBER_IDS = `query SegmentMemberIds(
  $segmentId: ID!, $cursorId: ID, $isBackward: Boolean!, $offset: Int!, $limit: Int!
) {
  _segmentMemberIds(
    segmentId: $segmentId, cursorId: $cursorId, isBackward: $isBackward, offset: $offset, limit: $limit
  )
}`;

/**
 * Ids of the members of a segment in the order of the list of members, newest first: at most `size` of them.
 *
 * @throws AppError SEGMENT_NOT_FOUND (404), PEER_UNAVAILABLE (503)
 */
export async function segmentMemberIds(
  ctx: Context,
  segmentId: string,
  { cursorId, isBackward, offset, size: limit }: PageRequest,
): Promise<string[]> {
  const variables = { segmentId, cursorId, isBackward, offset, limit };
  const answer = await ctx.services.peers.ask(ctx, 'engagement', { query: MEMBER_IDS, variables });
  return answer['_segmentMemberIds'] as string[];
}

const MEMBER_COUNT =
  'query SegmentMemberCount($segmentId: ID!) { _segmentMemberCount(segmentId: $segmentId) }';

/** How many members a segment has. @throws AppError SEGMENT_NOT_FOUND (404), PEER_UNAVAILABLE (503) */
export async function segmentMemberCount(ctx: Context, segmentId: string): Promise<number> {
  const question = { query: MEMBER_COUNT, variables: { segmentId } };
  const answer = await ctx.services.peers.ask(ctx, 'engagement', question);
  return answer['_segmentMemberCount'] as number;
}
