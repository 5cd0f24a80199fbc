import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { inScope } from '@loyalty/platform/database/scope-sql';

export type RecordData = Readonly<Record<string, unknown>>;

export interface ObjectRecord {
  readonly id: string;
  readonly objectTypeId: string;
  readonly data: RecordData;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
}

/** The columns of a record, for every statement that returns one from `loyalty.object_records AS r`. */
export const recordColumns = `r.id, r.object_type_id, r.data, r.created_at, r.updated_at, r.deleted_at`;

/** Records of one type: $1 and $2 are the scope, $3 is the type. */
export const ofType = `${inScope('r')} AND r.object_type_id = $3`;

/** The fields of a type that statements need to store the title and the texts for sorting and search. */
export interface RecordShape {
  readonly objectTypeId: string;
  /** The field with the title of a record; null if there is none. */
  readonly titleKey: string | null;
  /** Fields that search uses. */
  readonly textKeys: readonly string[];
}

/**
 * Data with its derived columns, from an expression for the data; `first` is the first of two parameters, $2
 * and $3 are mode and type.
 */
const shaped = (data: string, first: number): string =>
  `SELECT m.data, left(lower(coalesce(m.data ->> $${first}::text, '')), 200),
          loyalty.object_text(m.data, $${first + 1}::text[]),
          loyalty.object_terms($3::uuid, $2::platform."Mode", m.data) FROM (SELECT ${data} AS data) AS m`;

const scopeOf = (ctx: Context, objectTypeId: string): unknown[] => [
  ctx.scope.workspaceId,
  ctx.scope.mode,
  objectTypeId,
];

export async function insertRecord(
  ctx: Context,
  shape: RecordShape,
  id: string,
  data: RecordData,
): Promise<ObjectRecord> {
  const [row] = await ctx.sql.query<ObjectRecord>(
    `INSERT INTO loyalty.object_records AS r
       (workspace_id, mode, object_type_id, id, data, title, search_text, terms, created_at, updated_at)
     SELECT $1, $2::platform."Mode", $3, $4, s.*, $8::timestamptz, $8::timestamptz
       FROM (${shaped('$5::jsonb', 6)}) AS s
     RETURNING ${recordColumns}`,
    [
      ...scopeOf(ctx, shape.objectTypeId),
      id,
      JSON.stringify(data),
      shape.titleKey,
      shape.textKeys,
      ctx.clock.now(),
    ],
  );
  return row!;
}

interface RecordChange {
  /** Defaults of required fields that were not sent. */
  readonly defaults: RecordData;
  readonly set: RecordData;
  readonly cleared: readonly string[];
  /** Replaces all of the present data. */
  readonly isReplacement: boolean;
}

/**
 * Merges a change into a record in one statement, so that writes of different fields never undo each other;
 * the row stays locked until the transaction ends. Returns null if there is none or it is deleted.
 */
export async function changeRecord(
  ctx: Context,
  shape: RecordShape,
  id: string,
  change: RecordChange,
): Promise<ObjectRecord | null> {
  const base = change.isReplacement ? `'{}'::jsonb` : 'r.data';
  const [row] = await ctx.sql.query<ObjectRecord>(
    `UPDATE loyalty.object_records AS r
        SET (data, title, search_text, terms) =
              (${shaped(`($5::jsonb || ${base} || $6::jsonb) - $7::text[]`, 8)}),
            updated_at = $10
      WHERE ${ofType} AND r.id = $4 AND r.deleted_at IS NULL RETURNING ${recordColumns}`,
    [
      ...scopeOf(ctx, shape.objectTypeId),
      id,
      JSON.stringify(change.defaults),
      JSON.stringify(change.set),
      change.cleared,
      shape.titleKey,
      shape.textKeys,
      ctx.clock.now(),
    ],
  );
  return row ?? null;
}

/** Deletes or restores a record; returns null if there is none, or nothing changes. */
export async function markDeleted(
  ctx: Context,
  objectTypeId: string,
  id: string,
  isDeleted: boolean,
): Promise<ObjectRecord | null> {
  const [row] = await ctx.sql.query<ObjectRecord>(
    `UPDATE loyalty.object_records AS r
        SET deleted_at = CASE WHEN $5 THEN $6::timestamptz END, updated_at = $6::timestamptz
      WHERE ${ofType} AND r.id = $4 AND (r.deleted_at IS NULL) = $5 RETURNING ${recordColumns}`,
    [...scopeOf(ctx, objectTypeId), id, isDeleted, ctx.clock.now()],
  );
  return row ?? null;
}

/** Loads records of any type by id; deleted ones are left out. */
export const recordById = loader(async (ctx, ids: readonly string[]) => {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query<ObjectRecord>(
    `SELECT ${recordColumns} FROM loyalty.object_records AS r
      WHERE ${inScope('r')} AND r.id = ANY($3::uuid[])
        AND r.deleted_at IS NULL`,
    [workspaceId, mode, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

/**
 * Returns the ids that belong to records, as `<type>/<id>` with the machine name of the type; deleted records
 * are left out.
 */
export async function presentRecords(ctx: Context, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query<{ name: string }>(
    `SELECT t.type || '/' || r.id AS name FROM loyalty.object_records AS r
       JOIN loyalty.object_types AS t ON t.workspace_id = r.workspace_id AND t.id = r.object_type_id
      WHERE ${inScope('r')} AND r.id = ANY($3::uuid[])
        AND r.deleted_at IS NULL`,
    [workspaceId, mode, ids],
  );
  return new Set(rows.map(({ name }) => name));
}

/**
 * Writes the default into the next records without a value, sorted by id; returns the last id, null if none
 * is left. Locked records are skipped: the transaction that has locked them writes the default.
 */
export async function fillRecords(
  ctx: Context,
  shape: RecordShape,
  fill: { readonly key: string; readonly defaults: RecordData; readonly afterId: string | null },
): Promise<string | null> {
  const [row] = await ctx.sql.query<{ last: string | null }>(
    `WITH due AS MATERIALIZED (
       SELECT r.id FROM loyalty.object_records AS r
        WHERE ${ofType} AND NOT r.data ? $4 AND ($6::uuid IS NULL OR r.id > $6)
        ORDER BY r.id LIMIT 500 FOR UPDATE SKIP LOCKED),
     filled AS (
       UPDATE loyalty.object_records AS r
          SET (data, title, search_text, terms) = (${shaped('$5::jsonb || r.data', 7)})
         FROM due
        WHERE ${ofType} AND r.id = due.id RETURNING r.id)
     SELECT max(id::text)::uuid AS last FROM filled`,
    [
      ...scopeOf(ctx, shape.objectTypeId),
      fill.key,
      JSON.stringify(fill.defaults),
      fill.afterId,
      shape.titleKey,
      shape.textKeys,
    ],
  );
  return row?.last ?? null;
}

/** A record whose content was erased, except references to other members. */
export interface ErasedRecord {
  readonly id: string;
  readonly objectTypeId: string;
  /** Machine name of the type. */
  readonly type: string;
  readonly wasDeleted: boolean;
}

/**
 * Erases up to 500 records that refer to a member, including deleted ones: they are deleted and keep only
 * their references to other members. Records that are not deleted are found by an index over hashed terms,
 * deleted ones by an index over the type.
 */
export async function eraseRecordsOf(tx: Context, memberId: string): Promise<ErasedRecord[]> {
  const { workspaceId, mode } = tx.scope;
  return tx.sql.query<ErasedRecord>(
    `WITH fields AS MATERIALIZED (
       SELECT t.id AS type_id, t.type, array_agg(f.key) AS keys
         FROM loyalty.object_types AS t
         JOIN loyalty.object_fields AS f ON f.workspace_id = t.workspace_id AND f.object_type_id = t.id
        WHERE t.workspace_id = $1 AND f.type = 'MEMBER_REF'
        GROUP BY t.id, t.type
     ), naming AS (
       SELECT r.id FROM loyalty.object_records AS r
        WHERE ${inScope('r')} AND r.deleted_at IS NULL
          AND r.terms && ARRAY(SELECT unnest(loyalty.object_terms(f.type_id, $2::platform."Mode",
                                               jsonb_build_object(key, $3::uuid)))
                                 FROM fields AS f CROSS JOIN unnest(f.keys) AS key)
       UNION ALL
       SELECT r.id FROM fields AS f
         JOIN loyalty.object_records AS r
           ON ${inScope('r')} AND r.object_type_id = f.type_id
          AND r.deleted_at IS NOT NULL
     ), due AS MATERIALIZED (
       SELECT r.id, f.type, f.keys, r.deleted_at IS NOT NULL AS was_deleted
         FROM naming AS n
         JOIN loyalty.object_records AS r
           ON ${inScope('r')} AND r.id = n.id
         JOIN fields AS f ON f.type_id = r.object_type_id
        WHERE EXISTS (SELECT FROM unnest(f.keys) AS key WHERE r.data ->> key = $3::text)
        ORDER BY r.id LIMIT 500 FOR UPDATE OF r)
     UPDATE loyalty.object_records AS r
        SET data = (SELECT coalesce(jsonb_object_agg(key, r.data -> key), '{}') FROM unnest(due.keys) AS key
                     WHERE r.data ->> key <> $3::text),
            title = '', search_text = '', terms = '{}', deleted_at = coalesce(r.deleted_at, $4),
            updated_at = $4
       FROM due
      WHERE ${inScope('r')} AND r.id = due.id
     RETURNING r.id, r.object_type_id, due.type, due.was_deleted`,
    [workspaceId, mode, memberId, tx.clock.now()],
  );
}
