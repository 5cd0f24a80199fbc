import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { type Page, type PageRequest, pageOf } from '@loyalty/platform/database/pages';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { columns, containing, inSql } from '@loyalty/prisma/columns';
import type { CheckedCondition } from '../conditions/conditions.service.ts';

export interface Segment {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  /** A valid condition tree. */
  readonly definition: Record<string, unknown>;
  readonly version: number;
  readonly nestedIds: readonly string[];
  readonly memberCount: number;
  /** The version that was computed for all members. */
  readonly computedVersion: number | null;
  readonly computedAt: Date | null;
  /** Members up to this id are done in the running computation. */
  readonly computedToId: string | null;
  readonly failure: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const select = {
  ...columns('id', 'name', 'description', 'definition', 'version', 'nestedIds', 'memberCount'),
  ...columns('computedVersion', 'computedAt', 'computedToId', 'failure', 'createdAt', 'updatedAt'),
};

const sqlColumns = inSql(select);

export const segmentById = loader(async (ctx, ids: readonly string[]) => {
  const rows: Segment[] = await ctx.prisma.segment.findMany({ where: { id: { in: [...ids] } }, select });
  return new Map(rows.map((row) => [row.id, row]));
});

/** Reads a segment without the cache of the loader. */
export const findSegmentRow = (ctx: Context, id: string): Promise<Segment | null> =>
  ctx.prisma.segment.findFirst({ where: { id }, select });

export const segmentsPage = (
  ctx: Context,
  request: PageRequest,
  search: string | null,
): Promise<Page<Segment>> =>
  pageOf(ctx.prisma.segment, request, {
    where: search === null ? {} : { name: containing(search) },
    select,
  });

/**
 * Locks definitions and names until the transaction ends, so that two changes cannot create a cycle together.
 */
export async function lockDefinitions(tx: Context): Promise<void> {
  const lock = `pg_advisory_xact_lock(hashtextextended('engagement.segments:' || $1 || $2, 0))`;
  await tx.sql.query(`SELECT ${lock}`, [...scopeOf(tx)]);
}

/**
 * Returns the existing segments among the given ones and locks them against deletion until the transaction
 * ends.
 */
export async function lockSegmentRows(tx: Context, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.sql.query<{ id: string }>(
    `SELECT s.id FROM engagement.segments AS s
      WHERE ${inScope('s')} AND s.id = ANY($3::uuid[]) ORDER BY s.id FOR KEY SHARE`,
    [...scopeOf(tx), ids],
  );
  return rows.map(({ id }) => id);
}

/** Returns the number of segments, and whether a segment other than `exceptId` has the name. */
export async function segmentNames(
  tx: Context,
  name: string | null,
  exceptId: string | null,
): Promise<{ readonly total: number; readonly isTaken: boolean }> {
  const [row] = await tx.sql.query<{ total: number; isTaken: boolean | null }>(
    `SELECT count(*)::int AS total, bool_or(s.name = $3 AND s.id IS DISTINCT FROM $4::uuid) AS is_taken
       FROM engagement.segments AS s WHERE ${inScope('s')}`,
    [...scopeOf(tx), name, exceptId],
  );
  return { total: row?.total ?? 0, isTaken: row?.isTaken ?? false };
}

/** SQL of the aspects of conditions, including those of nested segments. */
const allAspects = (own: string, nested: string) => `ARRAY(
  SELECT unnest(${own}::text[]) UNION
  SELECT unnest(n.aspects) FROM engagement.segments AS n
   WHERE ${inScope('n')} AND n.id = ANY(${nested}::uuid[]))`;

export async function insertSegment(
  tx: Context,
  segment: Pick<Segment, 'id' | 'name' | 'description'>,
  { condition, aspects, nestedIds }: CheckedCondition,
): Promise<void> {
  await tx.sql.query(
    `INSERT INTO engagement.segments
       (workspace_id, mode, id, name, description, definition, aspects, nested_ids, actor,
        created_at, updated_at)
     VALUES ($1, $2::platform."Mode", $3, $4, $5, $6::jsonb, ${allAspects('$7', '$8')}, $8::uuid[], $9,
             $10, $10)`,
    [
      ...scopeOf(tx),
      segment.id,
      segment.name,
      segment.description,
      JSON.stringify(condition),
      aspects,
      nestedIds,
      tx.caller.actor,
      tx.clock.now(),
    ],
  );
}

/** A change of a segment. Null does not change a field. An empty description deletes it. */
export interface SegmentChange {
  readonly name: string | null;
  readonly description: string | null;
  readonly checked: CheckedCondition | null;
}

/** Changes a segment under `lockDefinitions`. An equal definition creates no new version. */
export async function changeSegment(tx: Context, id: string, change: SegmentChange): Promise<Segment | null> {
  const { name, description, checked } = change;
  const [row] = await tx.sql.query<Segment>(
    `UPDATE engagement.segments AS s
        SET name = coalesce($4, s.name),
            description = CASE WHEN $5::text IS NULL THEN s.description ELSE nullif($5, '') END,
            definition = coalesce($6::jsonb, s.definition),
            aspects = CASE WHEN $6::jsonb IS NULL THEN s.aspects ELSE ${allAspects('$7', '$8')} END,
            nested_ids = CASE WHEN $6::jsonb IS NULL THEN s.nested_ids ELSE $8::uuid[] END,
            version = s.version + ($6::jsonb IS NOT NULL AND $6::jsonb <> s.definition)::int,
            updated_at = $9
      WHERE ${inScope('s')} AND s.id = $3
     RETURNING ${sqlColumns}`,
    [
      ...scopeOf(tx),
      id,
      name,
      description,
      checked ? JSON.stringify(checked.condition) : null,
      checked?.aspects ?? [],
      checked?.nestedIds ?? [],
      tx.clock.now(),
    ],
  );
  return row ?? null;
}

/** Returns the ids of segments whose conditions contain this one, at any depth. */
export async function findAncestorIds(ctx: Context, id: string): Promise<string[]> {
  const rows = await ctx.sql.query<{ id: string }>(
    `WITH RECURSIVE above AS (
       SELECT s.id FROM engagement.segments AS s WHERE ${inScope('s')} AND $3::uuid = ANY(s.nested_ids)
       UNION
       SELECT s.id FROM above
         JOIN engagement.segments AS s ON ${inScope('s')} AND above.id = ANY(s.nested_ids)
     ) SELECT id FROM above`,
    [...scopeOf(ctx), id],
  );
  return rows.map((row) => row.id);
}

/** Adds the aspects of a segment to the segments that contain it. Too many aspects do no harm. */
export async function addAspects(tx: Context, ids: readonly string[], fromId: string): Promise<void> {
  await tx.sql.query(
    `UPDATE engagement.segments AS s
        SET aspects = ARRAY(SELECT unnest(s.aspects) UNION SELECT unnest(n.aspects))
       FROM engagement.segments AS n
      WHERE ${inScope('s')} AND s.id = ANY($3::uuid[]) AND ${inScope('n')} AND n.id = $4`,
    [...scopeOf(tx), ids, fromId],
  );
}

export async function deleteSegmentRow(tx: Context, id: string): Promise<void> {
  await tx.prisma.segment.deleteMany({ where: { id } });
}

/** Returns the segments that directly refer to this one. */
export const segmentsNaming = (
  ctx: Context,
  id: string,
): Promise<{ readonly id: string; readonly name: string }[]> =>
  ctx.prisma.segment.findMany({
    where: { nestedIds: { has: id } },
    select: columns('id', 'name'),
    orderBy: { id: 'asc' },
  });

export interface SegmentSize {
  readonly at: Date;
  readonly memberCount: number;
}

/** Number of days with hourly sizes. */
const HOURLY_DAYS = 7;

/** The key of a request for sizes. Text, because a loader compares keys by identity. */
export const sizesKey = (segmentId: string, days: number): string => `${days}:${segmentId}`;

/** Sizes by `sizesKey`: one statement for each number of days. */
export const sizesByKey = loader(async (ctx, keys: readonly string[]) => {
  const found = new Map<string, SegmentSize[]>(keys.map((key) => [key, []]));
  const asked = keys.map((key) => key.split(':') as [days: string, segmentId: string]);
  for (const [text, part] of Map.groupBy(asked, ([days]) => days)) {
    const days = Number(text);
    const rows = await ctx.sql.query<SegmentSize & { readonly segmentId: string }>(SIZES, [
      ...scopeOf(ctx),
      part.map(([, segmentId]) => segmentId),
      addMs(ctx.clock.now(), -days * DAY_MS),
      days > HOURLY_DAYS ? '1 day' : '1 hour',
    ]);
    for (const { segmentId, ...size } of rows) found.get(sizesKey(segmentId, days))!.push(size);
  }
  return found;
});

/** The last size of each hour or day, and the size at the beginning of the range. */
const SIZES = `

SELECT w.id AS segment_id, z.at, z.member_count
  FROM unnest($3::uuid[]) AS w(id)
 CROSS JOIN LATERAL (
   (SELECT $4::timestamptz AS at, b.member_count FROM engagement.segment_sizes AS b
     WHERE ${inScope('b')} AND b.segment_id = w.id AND b.hour < $4
     ORDER BY b.hour DESC LIMIT 1)
   UNION ALL
   (SELECT DISTINCT ON (date_bin($5::interval, i.hour, 'epoch'::timestamptz)) i.hour, i.member_count
      FROM engagement.segment_sizes AS i
     WHERE ${inScope('i')} AND i.segment_id = w.id AND i.hour >= $4
     ORDER BY date_bin($5::interval, i.hour, 'epoch'::timestamptz), i.hour DESC)
 ) AS z
 ORDER BY w.id, z.at`;

/** The computed fraction of the members, 0 to 1, by segment. */
export const progressBySegment = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<{ id: string; done: number }>(
    `SELECT s.id, (SELECT count(*) FROM engagement.profiles AS p
                    WHERE ${inScope('p')} AND p.member_id <= s.computed_to_id)::float8
                  / greatest(1, (SELECT count(*) FROM engagement.profiles AS p WHERE ${inScope('p')})) AS done
       FROM engagement.segments AS s WHERE ${inScope('s')} AND s.id = ANY($3::uuid[])`,
    [...scopeOf(ctx), ids],
  );
  return new Map(rows.map(({ id, done }) => [id, done]));
});
