import type { Mode } from '@loyalty/platform/caller/caller';
import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/loading/array-parameters';

/** A member whom time alone may let into a segment, or out of it, by now. */
export interface DueMembership {
  readonly workspaceId: string;
  readonly mode: Mode;
  readonly segmentId: string;
  readonly memberId: string;
}

/** Those that have been due longest. */
export function dueMemberships(ctx: Context, size: number): Promise<DueMembership[]> {
  return ctx.sql.query<DueMembership>(
    `/* every workspace */ SELECT workspace_id, mode, segment_id, member_id
       FROM engagement.segment_members WHERE recheck_at <= $1 ORDER BY recheck_at LIMIT $2`,
    [ctx.clock.now(), size],
  );
}

/** Those that are still due, once nobody else works on the profiles. */
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

/** Takes rows out of what is due: their segments are gone, and a job deletes them. */
export async function forgetDue(tx: Context, segmentIds: readonly string[]): Promise<void> {
  await tx.sql.query(
    `UPDATE engagement.segment_members SET recheck_at = NULL
      WHERE ${inScope()} AND segment_id = ANY($3::uuid[]) AND recheck_at <= $4`,
    [...scopeOf(tx), segmentIds, tx.clock.now()],
  );
}
