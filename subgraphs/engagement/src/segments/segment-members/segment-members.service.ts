import type { Context } from '@loyalty/platform/context';
import {
  type Page,
  type PageArgs,
  type PageRequest,
  page,
  pageRequest,
} from '@loyalty/platform/loading/pages';
import { findSegment, getSegment, type Segment } from '../segments/segments.service.ts';
import {
  countBySegment,
  findMembership,
  memberRows,
  membersOfSegment,
  type SegmentMember,
  segmentIdsByMember,
} from './segment-members.store.ts';

export type { SegmentMember };

/**
 * The members of a segment, newest first; parts of many lists load together.
 *
 * @throws AppError VALIDATION_FAILED for paging out of bounds
 */
export async function listSegmentMembers(
  ctx: Context,
  { id }: Segment,
  args: PageArgs,
): Promise<Page<SegmentMember>> {
  const request = pageRequest(args);
  const rows = await membersOfSegment(ctx, id, request);
  return page(request, rows, async () => (await ctx.load(countBySegment, id)) ?? 0);
}

/** Segments that a member is in, newest first; those of many members load together. */
export async function segmentsOfMember(ctx: Context, memberId: string): Promise<Segment[]> {
  const ids = (await ctx.load(segmentIdsByMember, memberId)) ?? [];
  const segments = await Promise.all(ids.map((id) => findSegment(ctx, id)));
  return segments.filter((segment) => segment !== null);
}

/** Whether a member is in a segment as it was last computed, and since when. */
export async function membershipOf(
  ctx: Context,
  segmentId: string,
  memberId: string,
): Promise<{ readonly isMember: boolean; readonly enteredAt: Date | null }> {
  return (await findMembership(ctx, segmentId, memberId)) ?? { isMember: false, enteredAt: null };
}

/**
 * A part of the members of a segment in the order of the list, or against it: no row more than asked for.
 *
 * @throws AppError SEGMENT_NOT_FOUND (404)
 */
export async function readMembers(
  ctx: Context,
  segmentId: string,
  request: PageRequest,
): Promise<SegmentMember[]> {
  await getSegment(ctx, segmentId);
  return memberRows(ctx, segmentId, request);
}

/** How many members a segment has. @throws AppError SEGMENT_NOT_FOUND (404) */
export const countMembers = async (ctx: Context, segmentId: string): Promise<number> =>
  (await getSegment(ctx, segmentId)).memberCount;

/** What is exported about a member: names of the segments that it is in. */
export const exportedSegments = async (ctx: Context, memberId: string): Promise<string[]> =>
  (await segmentsOfMember(ctx, memberId)).map(({ name }) => name);
