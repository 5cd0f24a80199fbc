import type { Context } from '@loyalty/platform/context';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/database/pages';
import { inScope } from '@loyalty/platform/database/scope-sql';
import { type ObjectRecord, ofType, type RecordData, recordColumns } from './object-records.store.ts';

export type RecordSort = 'CREATED_DESC' | 'CREATED_ASC' | 'UPDATED_DESC' | 'TITLE_ASC';

export interface RecordFilter {
  readonly objectTypeId: string;
  /** Required values by field key. */
  readonly values: RecordData;
  /** Part of a text value; null for any. */
  readonly search: string | null;
  /** Condition that one of these fields refers to the member. */
  readonly member: { readonly id: string; readonly keys: readonly string[] } | null;
}

/** Each order has an index, which is read in one direction. */
const orders: Readonly<Record<RecordSort, { readonly by: string; readonly listOrder: 'ASC' | 'DESC' }>> = {
  CREATED_DESC: { by: 'id', listOrder: 'DESC' },
  CREATED_ASC: { by: 'id', listOrder: 'ASC' },
  UPDATED_DESC: { by: 'updated_at', listOrder: 'DESC' },
  TITLE_ASC: { by: 'title', listOrder: 'ASC' },
};

/**
 * Returns one page of a type's records.
 *
 * Filters and members are found by hashes of field and value in one GIN index over all fields of all types:
 * any number of conditions is combined inside the index, and a new field needs no index of its own. The
 * hashes (64 bits of MD5, made by object_terms in the migration) include type and mode, so that values of one
 * workspace are never read for another, as they would be in a GIN over the plain JSON. They are a column, so
 * that the planner has statistics of them and scans the index of the order instead if a value is common.
 * Search finds parts of the text in the same way (object_grams), and then compares the text itself; those
 * hashes are only in their index, because a record has about a hundred.
 */
export async function recordsPage(
  ctx: Context,
  request: PageRequest,
  filter: RecordFilter,
  sort: RecordSort,
): Promise<Page<ObjectRecord>> {
  const params: unknown[] = [ctx.scope.workspaceId, ctx.scope.mode, filter.objectTypeId];
  const bind = (value: unknown) => `$${params.push(value)}`;
  const where = conditions(filter, bind).join(' AND ');
  const counted = [...params];
  const { by, listOrder } = orders[sort];
  const read = scan(request, listOrder);
  const order = by === 'id' ? `r.id ${read.order}` : `r.${by} ${read.order}, r.id ${read.order}`;
  const behindCursor = request.cursorId ? ` AND ${behind(by, read.beyond, bind(request.cursorId))}` : '';
  const limits = `LIMIT ${bind(request.size + 1)} OFFSET ${bind(request.offset)}`;
  // Rows skipped by an offset are read from the index only.
  const rows = await ctx.sql.query<ObjectRecord>(
    `SELECT ${recordColumns}
       FROM (SELECT r.id FROM loyalty.object_records AS r
              WHERE ${where}${behindCursor} ORDER BY ${order} ${limits}) AS found
       JOIN loyalty.object_records AS r ON ${ofType} AND r.id = found.id
      ORDER BY ${order}`,
    params,
  );
  return page(request, rows, async () => {
    const sql = `SELECT count(*)::int AS total FROM loyalty.object_records AS r WHERE ${where}`;
    const [count] = await ctx.sql.query<{ total: number }>(sql, counted);
    return count?.total ?? 0;
  });
}

/** Contains only the conditions that apply, so that each combination has its own plan. */
function conditions(filter: RecordFilter, bind: (value: unknown) => string): string[] {
  const found = [ofType, 'r.deleted_at IS NULL'];
  const hashed = (values: string) => `loyalty.object_terms($3::uuid, $2::platform."Mode", ${values})`;
  if (Object.keys(filter.values).length > 0) {
    found.push(`r.terms @> ${hashed(`${bind(JSON.stringify(filter.values))}::jsonb`)}`);
  }
  if (filter.member) {
    const { id, keys } = filter.member;
    const values = bind(JSON.stringify(Object.fromEntries(keys.map((key) => [key, id]))));
    found.push(`r.terms && ${hashed(`${values}::jsonb`)}`);
  }
  if (filter.search !== null) {
    const text = `lower(${bind(filter.search)}::text)`;
    found.push(`strpos(r.search_text, ${text}) > 0`);
    // Parts of three characters find fewer candidates; a single character has no part, so the index of the
    // order is scanned.
    const length = [...filter.search].length;
    if (length > 1) {
      found.push(
        `loyalty.object_grams(r.object_type_id, r.mode, r.search_text, 2)
         @> loyalty.object_grams($3::uuid, $2::platform."Mode", ${text}, ${Math.min(length, 3)})`,
      );
    }
  }
  return found;
}

/** Condition for records after the record of the cursor, at its current place, deleted or not. */
function behind(by: string, comparison: '<' | '>', id: string): string {
  if (by === 'id') return `r.id ${comparison} ${id}`;
  const place = `(SELECT c.${by} FROM loyalty.object_records AS c
    WHERE ${inScope('c')} AND c.object_type_id = $3 AND c.id = ${id})`;
  return `(r.${by}, r.id) ${comparison} (${place}, ${id}::uuid)`;
}
