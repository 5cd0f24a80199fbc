import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import type { RecordProfile } from '#generated/schema';

/** Fields that name members, by their types. */
const FIELDS = `SELECT t.id AS type_id, t.type, array_agg(f.key) AS keys
    FROM loyalty.object_types AS t
    JOIN loyalty.object_fields AS f ON f.workspace_id = t.workspace_id AND f.object_type_id = t.id
   WHERE t.workspace_id = $1 AND f.type = 'MEMBER_REF'
   GROUP BY t.id, t.type`;

/**
 * Records with a field that names one of the members, by the hashed terms of all fields and members, which
 * one index has. A hash may be another's, too: the data decide.
 */
const NAMING = `SELECT r.id FROM loyalty.object_records AS r
   WHERE ${inScope('r')} AND r.deleted_at IS NULL
     AND r.terms && ARRAY(SELECT unnest(loyalty.object_terms(f.type_id, $2::platform."Mode",
                                          jsonb_build_object(key, w.member_id)))
                            FROM fields AS f CROSS JOIN unnest(f.keys) AS key
                           CROSS JOIN unnest($4::uuid[]) AS w(member_id))`;

/** One statement for all. */
export async function findRecordRows(
  ctx: Context,
  { ids, memberIds }: { readonly ids: readonly string[]; readonly memberIds: readonly string[] },
): Promise<RecordProfile[]> {
  if (ids.length === 0 && memberIds.length === 0) return [];
  return ctx.sql.query<RecordProfile>(
    `WITH fields AS MATERIALIZED (${FIELDS})
     SELECT r.id, f.type, r.data, r.created_at, r.deleted_at IS NOT NULL AS is_deleted,
            ARRAY(SELECT DISTINCT (r.data ->> key)::uuid FROM unnest(f.keys) AS key
                   WHERE r.data ->> key IS NOT NULL) AS member_ids
       FROM (SELECT unnest($3::uuid[]) AS id${memberIds.length > 0 ? ` UNION ${NAMING}` : ''}) AS w
       JOIN loyalty.object_records AS r ON ${inScope('r')} AND r.id = w.id
       JOIN fields AS f ON f.type_id = r.object_type_id`,
    [...scopeOf(ctx), ids, ...(memberIds.length > 0 ? [memberIds] : [])],
  );
}
