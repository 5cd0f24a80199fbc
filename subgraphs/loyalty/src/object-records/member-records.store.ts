import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/loaders';
import { type ObjectRecord, recordColumns } from './object-records.store.ts';

/** Which records of which member are wanted. */
export interface MemberRecordsWanted {
  readonly memberId: string;
  readonly objectTypeId: string;
  /** Fields that may refer to the member. */
  readonly keys: readonly string[];
  /** Rows at most. */
  readonly limit: number;
  /** Records older than this one. */
  readonly afterId: string | null;
}

/** Equal wishes must be equal keys for a loader, and only text is. */
export const wantedKey = ({ memberId, objectTypeId, keys, limit, afterId }: MemberRecordsWanted): string =>
  [memberId, objectTypeId, keys.join(','), limit, afterId ?? ''].join(' ');

/** The wishes as rows, and how a record is found that refers to a member. */
const wanted = `unnest($3::uuid[], $4::uuid[], $5::text[], $6::int[], $7::uuid[]) WITH ORDINALITY
  AS w(member_id, type_id, keys, rows, after_id, place)`;
const refers = `r.workspace_id = $1 AND r.mode = $2::platform."Mode" AND r.object_type_id = w.type_id
  AND r.deleted_at IS NULL
  AND r.terms && loyalty.object_terms(w.type_id,
        $2::platform."Mode",
        (SELECT jsonb_object_agg(k.key, w.member_id) FROM unnest(string_to_array(w.keys, ',')) AS k(key)))`;

function paramsOf(ctx: Context, keys: readonly string[]): unknown[] {
  const parts = keys.map((key) => key.split(' '));
  const column = (place: number) => parts.map((part) => part[place] || null);
  const { workspaceId, mode } = ctx.scope;
  return [workspaceId, mode, column(0), column(1), column(2), column(3), column(4)];
}

/** Records that refer to many members, newest first, in one statement. */
export const memberRecordsByKey = loader(async (ctx, keys: readonly string[]) => {
  // OFFSET 0 keeps the search apart from the order: a member has few records, and the planner, who cannot
  // know that, would look for them through all records of the type.
  const rows = await ctx.sql.query<ObjectRecord & { place: bigint }>(
    `SELECT w.place, found.* FROM ${wanted}
      CROSS JOIN LATERAL (
        SELECT own.* FROM (SELECT ${recordColumns} FROM loyalty.object_records AS r
                            WHERE ${refers} OFFSET 0) AS own
         WHERE w.after_id IS NULL OR own.id < w.after_id
         ORDER BY own.id DESC LIMIT w.rows) AS found
      ORDER BY w.place`,
    paramsOf(ctx, keys),
  );
  const found = new Map<string, ObjectRecord[]>(keys.map((key) => [key, []]));
  for (const { place, ...record } of rows) found.get(keys[Number(place) - 1]!)!.push(record);
  return found;
});

/** How many records refer to each of many members. */
export const memberRecordCountByKey = loader(async (ctx, keys: readonly string[]) => {
  const rows = await ctx.sql.query<{ place: bigint; records: number }>(
    `SELECT w.place, found.records FROM ${wanted}
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS records FROM loyalty.object_records AS r WHERE ${refers}) AS found`,
    paramsOf(ctx, keys),
  );
  return new Map(rows.map(({ place, records }) => [keys[Number(place) - 1]!, records]));
});
