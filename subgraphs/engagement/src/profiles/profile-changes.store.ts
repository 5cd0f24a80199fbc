import type { Scope } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/database/array-parameters';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';

/** A change that must be applied to profiles: of a member, of a record, or, with neither, of all members. */
export interface ProfileChange {
  readonly id: string;
  readonly memberId: string | null;
  readonly recordId: string | null;
  readonly aspects: readonly string[];
  /** Ids of tracked events. */
  readonly eventIds: readonly string[];
  readonly createdAt: Date;
}

/** Inserts the changes of workspaces and modes with profiles. Does not wait for locks. */
export async function insertChanges(
  tx: Context,
  changes: readonly (ProfileChange & Scope)[],
): Promise<boolean> {
  const rows = await tx.sql.query(
    `INSERT INTO engagement.profile_changes
            (workspace_id, mode, id, member_id, record_id, aspects, event_ids, created_at)
     SELECT g.workspace_id, g.mode, g.id, g.member_id, g.record_id, string_to_array(g.aspects, ','), '{}',
            g.created_at
       FROM unnest($1::uuid[], $2::platform."Mode"[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[],
                   $7::timestamptz[])
         AS g(workspace_id, mode, id, member_id, record_id, aspects, created_at)
      WHERE EXISTS (SELECT FROM engagement.profile_syncs AS s
                     WHERE s.workspace_id = g.workspace_id AND s.mode = g.mode)
     ON CONFLICT (workspace_id, mode, id) DO NOTHING
     RETURNING 1`,
    [
      ...arraysOf(changes, 'workspaceId', 'mode', 'id', 'memberId', 'recordId'),
      changes.map(({ aspects }) => aspects.join(',')),
      changes.map(({ createdAt }) => createdAt),
    ],
  );
  return rows.length > 0;
}

/** Records that events of members were tracked, if the workspace and mode has profiles. */
export async function insertTracked(tx: Context, id: string, eventIds: readonly string[]): Promise<boolean> {
  const rows = await tx.sql.query(
    `INSERT INTO engagement.profile_changes (workspace_id, mode, id, aspects, event_ids, created_at)
     SELECT s.workspace_id, s.mode, $3, '{}', $4, $5
       FROM engagement.profile_syncs AS s WHERE ${inScope('s')}
     RETURNING 1`,
    [...scopeOf(tx), id, eventIds, tx.clock.now()],
  );
  return rows.length > 0;
}

/** Deletes and returns the oldest changes. The caller has locked the profiles. */
export const takeOldest = (tx: Context, limit: number): Promise<ProfileChange[]> =>
  tx.sql.query<ProfileChange>(
    `DELETE FROM engagement.profile_changes AS c
      WHERE ${inScope('c')} AND c.id = ANY(ARRAY(
            SELECT o.id FROM engagement.profile_changes AS o WHERE ${inScope('o')} ORDER BY o.id LIMIT $3))
     RETURNING c.id, c.member_id, c.record_id, c.aspects, c.event_ids, c.created_at`,
    [...scopeOf(tx), limit],
  );

/** Deletes the changes of a member. */
export async function deleteChanges(tx: Context, memberId: string): Promise<void> {
  await tx.sql.query(`DELETE FROM engagement.profile_changes WHERE ${inScope()} AND member_id = $3`, [
    ...scopeOf(tx),
    memberId,
  ]);
}
