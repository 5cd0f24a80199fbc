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
 * Lists the members of a segment, newest first. Batched by segment.
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

/** Lists the segments of a member, newest first. Batched by member. */
export async function segmentsOfMember(ctx: Context, memberId: string): Promise<Segment[]> {
  const ids = (await ctx.load(segmentIdsByMember, memberId)) ?? [];
  const segments = await Promise.all(ids.map((id) => findSegment(ctx, id)));
  return segments.filter((segment) => segment !== null);
}

/** Returns whether a member is in a segment, by its last computation, and since when. */
export async function membershipOf(
  ctx: Context,
  segmentId: string,
  memberId: string,
): Promise<{ readonly isMember: boolean; readonly enteredAt: Date | null }> {
  return (await findMembership(ctx, segmentId, memberId)) ?? { isMember: false, enteredAt: null };
}

/**
 * Returns a part of the members of a segment, in the order of the list or reversed; at most the requested
 * number of rows.
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

/** Counts the members of a segment. @throws AppError SEGMENT_NOT_FOUND (404) */
export const countMembers = async (ctx: Context, segmentId: string): Promise<number> =>
  (await getSegment(ctx, segmentId)).memberCount;

/** Returns the names of a member's segments, for an export. */
export const exportedSegments = async (ctx: Context, memberId: string): Promise<string[]> =>
  (await segmentsOfMember(ctx, memberId)).map(({ name }) => name);

/** Lines per part. A part takes a fraction of a second and less than 1 MB. */
const PART = 5_000;

const COLUMNS = ['member_id', 'entered_at'] as const;

/** Columns for callers with the scope members:read. */
const COLUMNS_OF_READERS = ['member_id', 'external_id', 'entered_at', 'status', 'tier'] as const;

/** A part of an export. */
export interface SegmentExportPart {
  readonly content: string;
  /** The last member of the part; null for the last part. */
  readonly after: string | null;
}

/**
 * Exports a part of the members of a segment as CSV, oldest members first. Members who are erased meanwhile
 * are omitted.
 *
 * @param after - the last member of the previous part
 * @throws AppError SEGMENT_NOT_FOUND (404), PEER_UNAVAILABLE (503)
 */
export async function exportSegment(
  ctx: Context,
  id: string,
  after: string | null,
): Promise<SegmentExportPart> {
  // Reversed order: members who enrol meanwhile are at the end, not before the rows that were read.
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
