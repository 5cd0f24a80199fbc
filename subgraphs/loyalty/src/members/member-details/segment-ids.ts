import type { Context } from '@loyalty/platform/context';
import type { PageRequest } from '@loyalty/platform/loading/pages';
import { questions } from '../../peers.ts';

/**
 * Ids of the members of a segment in the order of the list of members, newest first: at most `size` of them.
 *
 * @throws AppError SEGMENT_NOT_FOUND (404), PEER_UNAVAILABLE (503)
 */
export async function segmentMemberIds(
  ctx: Context,
  segmentId: string,
  { cursorId, isBackward, offset, size: limit }: PageRequest,
): Promise<readonly string[]> {
  const variables = { segmentId, cursorId, isBackward, offset, limit };
  const answer = await ctx.services.peers.ask(ctx, 'engagement', questions.SegmentMemberIds, variables);
  return answer._segmentMemberIds;
}

/** How many members a segment has. @throws AppError SEGMENT_NOT_FOUND (404), PEER_UNAVAILABLE (503) */
export async function segmentMemberCount(ctx: Context, segmentId: string): Promise<number> {
  const answer = await ctx.services.peers.ask(ctx, 'engagement', questions.SegmentMemberCount, { segmentId });
  return answer._segmentMemberCount;
}
