import { NO_ID } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { rowsOf } from '@loyalty/platform/database/array-parameters';
import { loader } from '@loyalty/platform/database/loaders';
import { type Placed, pageLoader } from '@loyalty/platform/database/page-loader';
import { type PageRequest, scan } from '@loyalty/platform/database/pages';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';

/** A member of a segment. */
export interface SegmentMember {
  /** The id of the member. */
  readonly id: string;
  readonly enteredAt: Date | null;
}

/**
 * SQL of an id before all others in an order. Lists without a cursor begin there, so that they have the same
 * plan as others.
 */
const firstOf = (order: 'ASC' | 'DESC'): string =>
  order === 'ASC' ? NO_ID : 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Pages of members of segments, newest members first. */
export const membersOfSegment = pageLoader<string, SegmentMember>((ctx, wanted) => {
  const { owners, limits, offsets, cursorIds, order, beyond } = wanted;
  return ctx.sql.query<Placed<SegmentMember>>(
    `SELECT w.place, found.*
       FROM ${rowsOf('$3::uuid[], $4::int[], $5::int[], $6::uuid[]')} WITH ORDINALITY
              AS w(segment_id, rows, skip, cursor_id, place)
      CROSS JOIN LATERAL (
        SELECT m.member_id AS id, m.entered_at FROM engagement.segment_members AS m
         WHERE ${inScope('m')} AND m.segment_id = w.segment_id AND m.is_member
           AND m.member_id ${beyond} coalesce(w.cursor_id, '${firstOf(order)}'::uuid)
         ORDER BY m.member_id ${order} LIMIT w.rows OFFSET w.skip
      ) AS found
      ORDER BY w.place`,
    [...scopeOf(ctx), owners, limits, offsets, cursorIds],
  );
});

/** Number of members by segment. */
export const countBySegment = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<{ id: string; count: number }>(
    `SELECT s.id, s.member_count AS count FROM engagement.segments AS s
      WHERE ${inScope('s')} AND s.id = ANY($3::uuid[])`,
    [...scopeOf(ctx), ids],
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
});

/** Ids of segments by member, newest first. */
export const segmentIdsByMember = loader(async (ctx, memberIds: readonly string[]) => {
  const rows = await ctx.sql.query<{ memberId: string; ids: string[] }>(
    `SELECT m.member_id, array_agg(m.segment_id ORDER BY m.segment_id DESC) AS ids
       FROM engagement.segment_members AS m
      WHERE ${inScope('m')} AND m.member_id = ANY($3::uuid[]) AND m.is_member
      GROUP BY m.member_id`,
    [...scopeOf(ctx), memberIds],
  );
  return new Map(rows.map(({ memberId, ids }) => [memberId, ids]));
});

/** Returns whether a member is in a segment, and since when; null if there is no row. */
export async function findMembership(
  ctx: Context,
  segmentId: string,
  memberId: string,
): Promise<{ readonly isMember: boolean; readonly enteredAt: Date | null } | null> {
  const [row] = await ctx.sql.query<{ isMember: boolean; enteredAt: Date | null }>(
    `SELECT m.is_member, m.entered_at FROM engagement.segment_members AS m
      WHERE ${inScope('m')} AND m.segment_id = $3 AND m.member_id = $4`,
    [...scopeOf(ctx), segmentId, memberId],
  );
  return row ?? null;
}

/** Returns a part of the members of a segment, in the order of the list or reversed. */
export function memberRows(
  ctx: Context,
  segmentId: string,
  { isBackward, cursorId, offset, size }: PageRequest,
): Promise<SegmentMember[]> {
  const { order, beyond } = scan({ isBackward });
  return ctx.sql.query<SegmentMember>(
    `SELECT m.member_id AS id, m.entered_at FROM engagement.segment_members AS m
      WHERE ${inScope('m')} AND m.segment_id = $3 AND m.is_member AND m.member_id ${beyond} $6::uuid
      ORDER BY m.member_id ${order} LIMIT $4 OFFSET $5`,
    [...scopeOf(ctx), segmentId, size, offset, cursorId ?? firstOf(order)],
  );
}
