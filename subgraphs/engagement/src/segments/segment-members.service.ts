import type { Context } from '@loyalty/platform/context';
import {
  type Page,
  type PageArgs,
  type PageRequest,
  page,
  pageRequest,
} from '@loyalty/platform/database/pages';
import { csvLine } from '@loyalty/platform/exports/csv-line';
import { scopesSuffice } from '@loyalty/platform/identity/refusal';
import type { MemberRefFragment } from '#generated/peers';
import { findMembers } from '../peers.ts';
import {
  countBySegment,
  findMembership,
  memberRows,
  membersOfSegment,
  type SegmentMember,
  segmentIdsByMember,
} from './segment-members.store.ts';
import { findSegment, getSegment, type Segment } from './segments.service.ts';

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

/** Lines of a part: it takes a fraction of a second and less than 1 MB. */
const PART = 5_000;

const COLUMNS = ['member_id', 'entered_at'] as const;

/** With members:read. */
const COLUMNS_OF_READERS = ['member_id', 'external_id', 'entered_at', 'status', 'tier'] as const;

/** A part of an export. */
export interface SegmentExportPart {
  readonly content: string;
  /** The member with whom it ended; null for the last part. */
  readonly after: string | null;
}

/**
 * A part of the members of a segment as CSV, oldest members first. Who is erased meanwhile is left out.
 *
 * @param after - the member with whom the part before ended
 * @throws AppError SEGMENT_NOT_FOUND (404), PEER_UNAVAILABLE (503)
 */
export async function exportSegment(
  ctx: Context,
  id: string,
  after: string | null,
): Promise<SegmentExportPart> {
  // Against the order of the list: who enrols meanwhile is at the end, not in front of what was read.
  const request = { cursorId: after, isBackward: true, offset: 0, size: PART };
  const rows = await readMembers(ctx, id, request);
  const members = await findMembers(ctx, { ids: rows.map((row) => row.id) });
  const isReader = scopesSuffice(ctx.caller, [['members:read']]);
  const header = after ? '' : csvLine(isReader ? COLUMNS_OF_READERS : COLUMNS);
  return {
    content: header + linesOf(rows, members, isReader),
    after: rows.length === PART ? rows.at(-1)!.id : null,
  };
}

function linesOf(
  rows: readonly SegmentMember[],
  members: readonly MemberRefFragment[],
  isReader: boolean,
): string {
  const known = new Map(members.map((member) => [member.id, member]));
  return rows
    .map(({ id, enteredAt }) => {
      const member = known.get(id);
      if (!member) return '';
      const entered = enteredAt?.toISOString() ?? null;
      if (!isReader) return csvLine([id, entered]);
      return csvLine([id, member.externalId, entered, member.status, member.tierName]);
    })
    .join('');
}
