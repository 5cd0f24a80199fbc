import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/database/array-parameters';
import { memberCounts } from '../members/member-sql.ts';
import type { ScopedMember } from './member-status.store.ts';

const COUNTED = '(SELECT workspace_id, mode, -count(*) AS rows FROM erased GROUP BY workspace_id, mode)';

/**
 * Erases up to `count` members of all workspaces whose erasure is due; locked rows wait for the next round.
 * The member's own key is deleted, too, so that nothing sealed with it can be read any more, wherever it is
 * stored.
 */
export async function eraseDue(ctx: Context, count: number): Promise<ScopedMember[]> {
  const erased = await ctx.sql.query<ScopedMember>(
    `/* every workspace */ WITH due AS MATERIALIZED (
       SELECT workspace_id, mode, id FROM loyalty.members
        WHERE status = 'DEACTIVATION_PENDING' AND erase_after <= $1
        ORDER BY erase_after LIMIT $2 FOR UPDATE SKIP LOCKED
     ), erased AS (
     UPDATE loyalty.members AS m
        SET status = 'DELETED', status_before_erasure = NULL, erase_after = NULL, erased_at = $1,
            updated_at = $1, key_sealed = NULL, email_index = NULL, email_sealed = NULL, name_sealed = NULL,
            phone_sealed = NULL, birth_sealed = NULL, external_id = NULL, program_id = NULL, locale = NULL,
            time_zone = NULL, custom_attributes = '{}'
       FROM due
      WHERE m.workspace_id = due.workspace_id AND m.mode = due.mode AND m.id = due.id
     RETURNING m.id, m.workspace_id, m.mode
     ), counted AS (${memberCounts.add(COUNTED)})
     SELECT id, workspace_id, mode FROM erased`,
    [ctx.clock.now(), count],
  );
  if (erased.length === 0) return [];
  const named = [...arraysOf(erased, 'workspaceId', 'mode', 'id')];
  for (const statement of erasures) await ctx.sql.query(statement, named);
  return erased;
}

const ofErased = (alias: string) => `(${alias}.workspace_id, ${alias}.mode, ${alias}.member_id) IN
  (SELECT workspace_id, mode, member_id
     FROM unnest($1::uuid[], $2::platform."Mode"[], $3::uuid[]) AS erased (workspace_id, mode, member_id))`;

/**
 * The erasures outside of the member's row: every table that may contain personal data needs a statement
 * here. Amounts stay, because the workspace needs them for its accounts; the history of consents stays as
 * proof, without the place of the consent.
 */
const erasures: readonly string[] = [
  `WITH removed AS (
     DELETE FROM loyalty.member_tags AS mt WHERE ${ofErased('mt')} RETURNING mt.*
   ), locked AS (
     SELECT t.workspace_id, t.mode, t.id, counts.removed
       FROM loyalty.tags AS t
       JOIN (SELECT workspace_id, mode, tag_id AS id, count(*)::int AS removed
               FROM removed GROUP BY workspace_id, mode, tag_id) AS counts USING (workspace_id, mode, id)
      ORDER BY t.id FOR NO KEY UPDATE OF t
   )
   UPDATE loyalty.tags AS t SET member_count = t.member_count - locked.removed FROM locked
    WHERE t.workspace_id = locked.workspace_id AND t.mode = locked.mode AND t.id = locked.id`,
  `DELETE FROM loyalty.member_search AS s WHERE ${ofErased('s')}`,
  `DELETE FROM loyalty.member_consents AS c WHERE ${ofErased('c')}`,
  `UPDATE loyalty.consent_changes AS c SET source = NULL WHERE ${ofErased('c')} AND c.source IS NOT NULL`,
  `DELETE FROM loyalty.member_exports AS e WHERE ${ofErased('e')}`,
  `DELETE FROM loyalty.member_sessions AS s WHERE ${ofErased('s')}`,
  `DELETE FROM loyalty.member_sign_ins AS s WHERE ${ofErased('s')}`,
  `UPDATE loyalty.point_lots AS l SET description = 'Entry of an erased member' WHERE ${ofErased('l')}`,
  `UPDATE loyalty.points_entries AS e SET description = 'Entry of an erased member' WHERE ${ofErased('e')}`,
  `UPDATE loyalty.bulk_awards AS b SET description = 'Award to an erased member and others'
     FROM unnest($1::uuid[], $2::platform."Mode"[], $3::uuid[]) AS erased (workspace_id, mode, member_id)
    WHERE b.workspace_id = erased.workspace_id AND b.mode = erased.mode
      AND erased.member_id = ANY(b.member_ids)`,
];
