import type { Mode } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/database/array-parameters';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { Aspect, Condition } from '../conditions/condition.ts';
import type { MembersBy } from './membership-sql.ts';

/** Less than all ids, and greater than all ids. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';

export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The fields of a segment that the update of memberships needs. */
export interface KeptSegment {
  readonly id: string;
  readonly version: number;
  readonly aspects: readonly Aspect[];
  readonly nestedIds: readonly string[];
  /** The version that was computed for all members. */
  readonly computedVersion: number | null;
  /** Members up to this id have been computed; null while no computation is running. */
  readonly computedToId: string | null;
  /** Whether some members have no profile yet. */
  readonly isIncomplete: boolean;
}

/** A member who entered or left a segment. */
export interface MembershipChange {
  readonly segmentId: string;
  readonly memberId: string;
  readonly isMember: boolean;
}

/** Returns the segments of the workspace and mode. */
export async function keptSegments(tx: Context): Promise<KeptSegment[]> {
  return tx.sql.query<KeptSegment>(
    `SELECT s.id, s.version, s.aspects, s.nested_ids, s.computed_version, s.computed_to_id,
            EXISTS (SELECT FROM engagement.profile_syncs AS p
                     WHERE ${inScope('p')} AND p.rebuilt_at IS NULL) AS is_incomplete
       FROM engagement.segments AS s WHERE ${inScope('s')} ORDER BY s.id`,
    scopeOf(tx),
  );
}

/** Returns the stored definitions, in which nested segments are ids. */
export async function definitionsOf(
  tx: Context,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Condition>> {
  const rows = await tx.sql.query<{ id: string; definition: Condition }>(
    `SELECT id, definition FROM engagement.segments WHERE ${inScope()} AND id = ANY($3::uuid[])`,
    [...scopeOf(tx), ids],
  );
  return new Map(rows.map(({ id, definition }) => [id, definition]));
}

/**
 * Sets how PostgreSQL plans the next statements of this transaction. Statements about single members run
 * often, and planning fifty segments takes longer than evaluating them, so they are planned once per
 * connection. Statements about ranges are planned each time for their values.
 */
export async function preparePlans(tx: Context, by: MembersBy): Promise<void> {
  await tx.sql.query(`SELECT set_config('plan_cache_mode', $1, true), set_config('jit', 'off', true)`, [
    by === 'IDS' ? 'force_generic_plan' : 'force_custom_plan',
  ]);
}

/** Runs a statement of `membershipStatement`. */
export function writeMemberships(
  tx: Context,
  text: string,
  values: readonly unknown[],
): Promise<MembershipChange[]> {
  return tx.sql.query<MembershipChange>(text, [...scopeOf(tx), tx.clock.now(), ...values]);
}

/** Deletes some rows of a deleted segment; returns their number. */
export async function deleteMembersOf(ctx: Context, segmentId: string, size: number): Promise<number> {
  const rows = await ctx.sql.query(
    `DELETE FROM engagement.segment_members
      WHERE ${inScope()} AND ctid = ANY(ARRAY(
            SELECT ctid FROM engagement.segment_members
             WHERE ${inScope()} AND segment_id = $3
               AND NOT EXISTS (SELECT FROM engagement.segments AS s WHERE ${inScope('s')} AND s.id = $3)
             LIMIT $4))
     RETURNING 1`,
    [...scopeOf(ctx), segmentId, size],
  );
  return rows.length;
}

/** Deletes memberships of members without a profile. */
export async function deleteMemberships(tx: Context, memberIds: readonly string[]): Promise<void> {
  await tx.sql.query(
    `DELETE FROM engagement.segment_members WHERE ${inScope()} AND member_id = ANY($3::uuid[])`,
    [...scopeOf(tx), memberIds],
  );
}

/** A membership that may have changed by time alone. */
export interface DueMembership {
  readonly workspaceId: string;
  readonly mode: Mode;
  readonly segmentId: string;
  readonly memberId: string;
}

/** Returns the memberships that have been due longest. */
export function dueMemberships(ctx: Context, size: number): Promise<DueMembership[]> {
  return ctx.sql.query<DueMembership>(
    `/* every workspace */ SELECT workspace_id, mode, segment_id, member_id
       FROM engagement.segment_members WHERE recheck_at <= $1 ORDER BY recheck_at LIMIT $2`,
    [ctx.clock.now(), size],
  );
}

/** Returns the memberships that are still due, after the profiles were locked. */
export async function stillDue(
  tx: Context,
  due: readonly Pick<DueMembership, 'segmentId' | 'memberId'>[],
): Promise<Pick<DueMembership, 'segmentId' | 'memberId'>[]> {
  return tx.sql.query(
    `SELECT m.segment_id, m.member_id
       FROM unnest($3::uuid[], $4::uuid[]) AS d(segment_id, member_id)
      CROSS JOIN LATERAL (
            SELECT found.* FROM engagement.segment_members AS found
             WHERE ${inScope('found')} AND found.segment_id = d.segment_id AND found.member_id = d.member_id
            OFFSET 0) AS m
      WHERE m.recheck_at <= $5`,
    [...scopeOf(tx), ...arraysOf(due, 'segmentId', 'memberId'), tx.clock.now()],
  );
}

/** Clears the due time of rows whose segments were deleted. A job deletes the rows. */
export async function clearDue(tx: Context, segmentIds: readonly string[]): Promise<void> {
  await tx.sql.query(
    `UPDATE engagement.segment_members SET recheck_at = NULL
      WHERE ${inScope()} AND segment_id = ANY($3::uuid[]) AND recheck_at <= $4`,
    [...scopeOf(tx), segmentIds, tx.clock.now()],
  );
}

/**
 * Returns a page of members who are in any of the segments, and in none of the excluded ones, in the order of
 * ids. `OFFSET 0` prevents a join of the whole table if the planner has no statistics of a segment yet.
 */
export async function membersOfSegments(
  ctx: Context,
  segmentIds: readonly string[],
  page: { readonly afterId: string; readonly limit: number; readonly excludeIds: readonly string[] },
): Promise<string[]> {
  const rows = await ctx.sql.query<{ memberId: string }>(
    `SELECT DISTINCT m.member_id
       FROM unnest($3::uuid[]) AS w(segment_id)
      CROSS JOIN LATERAL (
            SELECT m.member_id FROM engagement.segment_members AS m
             WHERE ${inScope('m')} AND m.segment_id = w.segment_id AND m.member_id > $4 AND m.is_member
               AND NOT EXISTS (
                   SELECT FROM engagement.segment_members AS x
                    WHERE ${inScope('x')} AND x.segment_id = ANY($5::uuid[]) AND x.member_id = m.member_id
                      AND x.is_member
                   OFFSET 0)
             ORDER BY m.member_id LIMIT $6) AS m
      ORDER BY 1 LIMIT $6`,
    [...scopeOf(ctx), segmentIds, page.afterId, page.excludeIds, page.limit],
  );
  return rows.map(({ memberId }) => memberId);
}

/** Returns the given members who are in a segment. */
export async function membersAmong(
  ctx: Context,
  segmentId: string,
  memberIds: readonly string[],
): Promise<string[]> {
  const rows = await ctx.sql.query<{ memberId: string }>(
    `SELECT member_id FROM engagement.segment_members
      WHERE ${inScope()} AND segment_id = $3 AND member_id = ANY($4::uuid[]) AND is_member`,
    [...scopeOf(ctx), segmentId, memberIds],
  );
  return rows.map(({ memberId }) => memberId);
}
