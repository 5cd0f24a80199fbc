import { inScope } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/loading/array-parameters';
import { loader } from '@loyalty/platform/loading/loaders';
import { type Placed, pageLoader } from '@loyalty/platform/loading/page-loader';
import { type ObjectRecord, recordColumns } from './object-records.store.ts';

/** The records of a type that refer to a member. */
interface MemberRecords {
  readonly memberId: string;
  readonly objectTypeId: string;
  /** Fields that may refer to the member. */
  readonly keys: readonly string[];
}

/** The requested lists as rows, and the condition for records that refer to the member. */
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

/** A page of the records that refer to a member; those of many members are read together. */
export const memberRecords = pageLoader<MemberRecords, ObjectRecord>((ctx, wanted) => {
  const { owners, limits, cursorIds, order, beyond } = wanted;
  // OFFSET 0 keeps the planner from using the index of the order: a member has few records, which the planner
  // does not know, and it would read all records of the type to find them.
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

/** How many records refer to each of many members; a key is the list as JSON. */
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
