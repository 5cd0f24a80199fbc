import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import type { Aspect, Condition } from '../conditions/condition.ts';
import { computeSegment } from './computations.service.ts';
import { type ChangedMembers, requestComputation, updateMemberships } from './memberships.service.ts';
import { lockProfiles } from './profiles.service.ts';

/** Inserts a segment, as the service does, and requests its computation. */
export async function givenSegment(
  ctx: Context,
  definition: Condition,
  reads: { readonly aspects: readonly Aspect[]; readonly nestedIds?: readonly string[] },
): Promise<string> {
  const id = newId(ctx.clock);
  await ctx.transaction(async (tx) => {
    await lockProfiles(tx);
    await tx.sql.query(
      `INSERT INTO engagement.segments
              (workspace_id, mode, id, name, definition, aspects, nested_ids, actor, created_at, updated_at)
       VALUES ($1, $2::platform."Mode", $3, $4, $5, $6, $7, 'user:test', $8, $8)`,
      [
        ctx.scope.workspaceId,
        ctx.scope.mode,
        id,
        `Segment ${id}`,
        JSON.stringify(definition),
        reads.aspects,
        reads.nestedIds ?? [],
        ctx.clock.now(),
      ],
    );
    await requestComputation(tx, id);
  });
  return id;
}

/** Changes the definition of a segment, as the service does. */
export async function redefine(ctx: Context, id: string, definition: Condition): Promise<void> {
  await ctx.transaction(async (tx) => {
    await lockProfiles(tx);
    await tx.sql.query(
      `UPDATE engagement.segments SET definition = $4, version = version + 1
        WHERE workspace_id = $1 AND mode = $2::platform."Mode" AND id = $3`,
      [ctx.scope.workspaceId, ctx.scope.mode, id, JSON.stringify(definition)],
    );
    await requestComputation(tx, id);
  });
}

export async function computed(ctx: Context, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) await computeSegment(ctx, id);
}

/** Updates memberships, as the refresh of profiles does after a change. */
export const update = (
  ctx: Context,
  memberIds: readonly string[],
  aspects: ChangedMembers['aspects'] = 'ALL',
) =>
  ctx.transaction(async (tx) => {
    await lockProfiles(tx);
    await updateMemberships(tx, { memberIds, aspects });
  });

export interface StoredMembership {
  readonly segmentId: string;
  readonly memberId: string;
  readonly isMember: boolean;
  readonly recheckAt: Date | null;
}

/** All rows of the workspace and mode. */
export const storedMemberships = (ctx: Context): Promise<StoredMembership[]> =>
  ctx.sql.query(
    `SELECT segment_id, member_id, is_member, recheck_at
       FROM engagement.segment_members WHERE workspace_id = $1 AND mode = $2::platform."Mode"
      ORDER BY segment_id, member_id`,
    [ctx.scope.workspaceId, ctx.scope.mode],
  );

export async function membersIn(ctx: Context, segmentId: string): Promise<string[]> {
  const rows = await storedMemberships(ctx);
  return rows.filter((row) => row.segmentId === segmentId && row.isMember).map(({ memberId }) => memberId);
}

/** The row of a segment. */
export async function segmentRow(ctx: Context, id: string) {
  const [row] = await ctx.sql.query<{
    memberCount: number;
    computedVersion: number | null;
    computedAt: Date | null;
    computedToId: string | null;
    failure: string | null;
  }>(
    `SELECT member_count, computed_version, computed_at, computed_to_id, failure
       FROM engagement.segments WHERE workspace_id = $1 AND id = $2`,
    [ctx.scope.workspaceId, id],
  );
  return row!;
}

/** Hours and sizes, oldest first. */
export const sizesOf = (ctx: Context, id: string): Promise<{ hour: Date; memberCount: number }[]> =>
  ctx.sql.query(
    `SELECT hour, member_count FROM engagement.segment_sizes
      WHERE workspace_id = $1 AND segment_id = $2 ORDER BY hour`,
    [ctx.scope.workspaceId, id],
  );
