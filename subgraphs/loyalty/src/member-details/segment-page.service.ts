import type { Context } from '@loyalty/platform/context';
import { type Page, type PageRequest, page } from '@loyalty/platform/database/pages';
import type { Member } from '../members/members.service.ts';
import { questions } from '../peers.ts';
import { countAmong, isOpen, type MemberFilter, membersAmong } from './member-list.store.ts';

/** Ids per question. */
const IDS_MAX = 10_000;

/** The requested members of a segment. */
export interface InSegment {
  readonly segmentId: string;
  readonly filter: MemberFilter;
}

/**
 * A page of the members of a segment. Engagement knows its members, and loyalty the data for the filter, so
 * with a filter ids are read in growing parts until the page is full.
 *
 * @throws AppError SEGMENT_NOT_FOUND (404), PEER_UNAVAILABLE (503)
 */
export async function segmentPage(
  ctx: Context,
  wanted: InSegment,
  request: PageRequest,
): Promise<Page<Member>> {
  const rows = await readRows(ctx, wanted, request);
  return page(request, rows, () => countRows(ctx, wanted));
}

async function readRows(
  ctx: Context,
  { segmentId, filter }: InSegment,
  request: PageRequest,
): Promise<Member[]> {
  const found: Member[] = [];
  const { isBackward } = request;
  // Without a filter engagement applies the offset; with one only loyalty can.
  let offset = isOpen(filter) ? request.offset : 0;
  let skip = isOpen(filter) ? 0 : request.offset;
  let cursorId = request.cursorId;
  for (let size = request.size + 1; ; size = Math.min(size * 4, IDS_MAX)) {
    const ids = await segmentMemberIds(ctx, segmentId, { isBackward, cursorId, offset, size });
    const rows = await membersAmong(ctx, ids, { filter, request });
    found.push(...rows.slice(skip));
    skip = Math.max(0, skip - rows.length);
    if (found.length > request.size || ids.length < size) return found.slice(0, request.size + 1);
    cursorId = ids.at(-1)!;
    offset = 0;
  }
}

async function countRows(ctx: Context, { segmentId, filter }: InSegment): Promise<number> {
  if (isOpen(filter)) return segmentMemberCount(ctx, segmentId);
  let total = 0;
  let cursorId: string | null = null;
  for (;;) {
    const part = { isBackward: false, cursorId, offset: 0, size: IDS_MAX };
    const ids: readonly string[] = await segmentMemberIds(ctx, segmentId, part);
    total += await countAmong(ctx, ids, filter);
    if (ids.length < IDS_MAX) return total;
    cursorId = ids.at(-1)!;
  }
}

/**
 * Returns ids of the members of a segment in the order of the list of members, newest first: at most `size`.
 *
 * @throws AppError SEGMENT_NOT_FOUND (404), PEER_UNAVAILABLE (503)
 */
async function segmentMemberIds(
  ctx: Context,
  segmentId: string,
  { cursorId, isBackward, offset, size: limit }: PageRequest,
): Promise<readonly string[]> {
  const variables = { segmentId, cursorId, isBackward, offset, limit };
  const answer = await ctx.services.peers.ask(ctx, 'engagement', questions.SegmentMemberIds, variables);
  return answer._segmentMemberIds;
}

/**
 * Returns the number of a segment's members. @throws AppError SEGMENT_NOT_FOUND (404), PEER_UNAVAILABLE (503)
 */
async function segmentMemberCount(ctx: Context, segmentId: string): Promise<number> {
  const answer = await ctx.services.peers.ask(ctx, 'engagement', questions.SegmentMemberCount, { segmentId });
  return answer._segmentMemberCount;
}
