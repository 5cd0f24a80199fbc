import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/database/array-parameters';
import { loader } from '@loyalty/platform/database/loaders';
import { type Placed, pageLoader } from '@loyalty/platform/database/page-loader';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { RecordProfile } from '#generated/schema';
import { type ObjectRecord, recordColumns } from './object-records.store.ts';

/** The records of a type that refer to a member. */
interface MemberRecords {
  readonly memberId: string;
  readonly objectTypeId: string;
  /** Fields that may refer to the member. */
  readonly keys: readonly string[];
}

/** The requested lists as rows; `refers` is the condition for records that refer to the member. */
const lists =
  'unnest($3::uuid[], $4::uuid[], $5::text[]) WITH ORDINALITY AS l(member_id, type_id, keys, place)';

const refers = `${inScope('r')} AND r.object_type_id = l.type_id
  AND r.deleted_at IS NULL
  AND r.terms && loyalty.object_terms(l.type_id,
        $2::platform."Mode",
        (SELECT jsonb_object_agg(k.key, l.member_id) FROM unnest(string_to_array(l.keys, ',')) AS k(key)))`;

const paramsOf = ({ scope: { workspaceId, mode } }: Context, owners: readonly MemberRecords[]): unknown[] => [
  workspaceId,
  mode,
  ...arraysOf(owners, 'memberId', 'objectTypeId'),
  owners.map(({ keys }) => keys.join(',')),
];

/** Loads a page of the records that refer to a member. Batched by member. */
export const memberRecords = pageLoader<MemberRecords, ObjectRecord>((ctx, wanted) => {
  const { owners, limits, cursorIds, order, beyond } = wanted;
  // OFFSET 0 prevents the planner from using the index of the order: a member has few records, which the
  // planner does not know, so it would read all records of the type to find them.
  return ctx.sql.query<Placed<ObjectRecord>>(
    `SELECT l.place, found.* FROM ${lists}
       JOIN unnest($6::int[], $7::uuid[]) WITH ORDINALITY AS w(rows, cursor_id, place) ON w.place = l.place
      CROSS JOIN LATERAL (
        SELECT own.* FROM (SELECT ${recordColumns} FROM loyalty.object_records AS r
                            WHERE ${refers} OFFSET 0) AS own
         WHERE w.cursor_id IS NULL OR own.id ${beyond} w.cursor_id
         ORDER BY own.id ${order} LIMIT w.rows) AS found
      ORDER BY l.place, found.id ${order}`,
    [...paramsOf(ctx, owners), limits, cursorIds],
  );
});

/** Loads the number of records that refer to members; a key is the list as JSON. */
export const memberRecordCount = loader(async (ctx, keys: readonly string[]) => {
  const rows = await ctx.sql.query<{ place: bigint; records: number }>(
    `SELECT l.place, found.records FROM ${lists}
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS records FROM loyalty.object_records AS r WHERE ${refers}) AS found`,
    paramsOf(
      ctx,
      keys.map((key) => JSON.parse(key) as MemberRecords),
    ),
  );
  return new Map(rows.map(({ place, records }) => [keys[Number(place) - 1]!, records]));
});

/** Fields that refer to members, by type. */
const FIELDS = `SELECT t.id AS type_id, t.type, array_agg(f.key) AS keys
    FROM loyalty.object_types AS t
    JOIN loyalty.object_fields AS f ON f.workspace_id = t.workspace_id AND f.object_type_id = t.id
   WHERE t.workspace_id = $1 AND f.type = 'MEMBER_REF'
   GROUP BY t.id, t.type`;

/**
 * Records with a field that refers to one of the members, by the hashed terms of all fields and members, in
 * one index. Hashes may collide, so the data itself is compared, too.
 */
const NAMING = `SELECT r.id FROM loyalty.object_records AS r
   WHERE ${inScope('r')} AND r.deleted_at IS NULL
     AND r.terms && ARRAY(SELECT unnest(loyalty.object_terms(f.type_id, $2::platform."Mode",
                                          jsonb_build_object(key, w.member_id)))
                            FROM fields AS f CROSS JOIN unnest(f.keys) AS key
                           CROSS JOIN unnest($4::uuid[]) AS w(member_id))`;

/** Returns the rows of records, in one statement for all. */
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
