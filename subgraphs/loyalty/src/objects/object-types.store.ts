import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import type { ConditionCatalog } from '#generated/schema';

export type ObjectTypeStatus = 'DRAFT' | 'PUBLISHED' | 'ARCHIVED';

export type ObjectFieldType =
  | 'TEXT'
  | 'NUMBER'
  | 'DATE'
  | 'DATETIME'
  | 'BOOLEAN'
  | 'ENUM'
  | 'LIST'
  | 'MEMBER_REF'
  | 'RECORD_REF'
  | 'URL'
  | 'EMAIL';

export interface ObjectField {
  readonly key: string;
  readonly label: string;
  readonly type: ObjectFieldType;
  readonly isRequired: boolean;
  /** Allowed values of ENUM, and of LIST if it has any. */
  readonly options: readonly string[];
  /** Machine name of the referenced type of a RECORD_REF. */
  readonly refType: string | null;
  /** Value of a required field that was not sent; null without one. */
  readonly defaultValue: unknown;
}

export interface ObjectType {
  readonly id: string;
  readonly type: string;
  readonly label: string;
  readonly status: ObjectTypeStatus;
  readonly isApiVisible: boolean;
  /** In the order of definition. */
  readonly fields: readonly ObjectField[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Columns of a type with its fields in one statement, from `loyalty.object_types AS t`. */
const columns = `t.id, t.type, t.label, t.status, t.is_api_visible, t.created_at, t.updated_at,
  coalesce((SELECT jsonb_agg(jsonb_build_object('key', f.key, 'label', f.label, 'type', f.type,
              'isRequired', f.is_required, 'options', f.options, 'refType', f.ref_type,
              'defaultValue', f.default_value) ORDER BY f.position)
     FROM loyalty.object_fields AS f
    WHERE f.workspace_id = t.workspace_id AND f.object_type_id = t.id), '[]') AS fields`;

/**
 * Locks the definitions of a workspace until the transaction ends: writers of records share the lock, a
 * change of a definition takes it exclusively. It is an advisory lock, because a row lock of every writer
 * would rewrite the rows of the definitions.
 */
export async function lockTypes(ctx: Context, as: 'WRITER_OF_RECORDS' | 'WRITER_OF_TYPES'): Promise<void> {
  const lock = as === 'WRITER_OF_RECORDS' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await ctx.sql.query(`SELECT ${lock}(hashtextextended('loyalty.object_types:' || $1, 0))`, [
    ctx.scope.workspaceId,
  ]);
}

export async function findType(ctx: Context, type: string): Promise<ObjectType | null> {
  const [row] = await ctx.sql.query<ObjectType>(
    `SELECT ${columns} FROM loyalty.object_types AS t WHERE t.workspace_id = $1 AND t.type = $2`,
    [ctx.scope.workspaceId, type],
  );
  return row ?? null;
}

/** Loads types of any status by their machine names. */
export const typeByName = loader(async (ctx, names: readonly string[]) => {
  const rows = await ctx.sql.query<ObjectType>(
    `SELECT ${columns} FROM loyalty.object_types AS t WHERE t.workspace_id = $1 AND t.type = ANY($2::text[])`,
    [ctx.scope.workspaceId, names],
  );
  return new Map(rows.map((row) => [row.type, row]));
});

/** Loads types of any status by id. */
export const typeById = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<ObjectType>(
    `SELECT ${columns} FROM loyalty.object_types AS t WHERE t.workspace_id = $1 AND t.id = ANY($2::uuid[])`,
    [ctx.scope.workspaceId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

/** Returns every type of a workspace, sorted by name; there are few. */
export async function allTypes(ctx: Context): Promise<readonly ObjectType[]> {
  return ctx.sql.query<ObjectType>(
    `SELECT ${columns} FROM loyalty.object_types AS t WHERE t.workspace_id = $1 ORDER BY t.type`,
    [ctx.scope.workspaceId],
  );
}

type NewType = Pick<ObjectType, 'id' | 'type' | 'label' | 'isApiVisible'>;

/** Returns false if the machine name was ever used. */
export async function insertType(ctx: Context, type: NewType): Promise<boolean> {
  const now = ctx.clock.now();
  const data = [{ ...type, status: 'DRAFT', createdAt: now, updatedAt: now } as const];
  const inserted = await ctx.prisma.objectType.createMany({ data, skipDuplicates: true });
  return inserted.count > 0;
}

/** Adds fields after the existing ones; returns false if a key is taken. */
export async function insertFields(
  ctx: Context,
  objectTypeId: string,
  fields: readonly ObjectField[],
): Promise<boolean> {
  const rows = await ctx.sql.query(
    `INSERT INTO loyalty.object_fields
       (workspace_id, object_type_id, key, label, type, is_required, options, ref_type, default_value,
        position, created_at)
     SELECT $1, $2, f.field ->> 'key', f.field ->> 'label',
            (f.field ->> 'type')::loyalty."ObjectFieldType", (f.field ->> 'isRequired')::boolean,
            ARRAY(SELECT jsonb_array_elements_text(f.field -> 'options')), f.field ->> 'refType',
            nullif(f.field -> 'defaultValue', 'null'::jsonb), present.fields + f.place - 1, $4
       FROM jsonb_array_elements($3::jsonb) WITH ORDINALITY AS f(field, place),
            (SELECT count(*)::int AS fields FROM loyalty.object_fields
              WHERE workspace_id = $1 AND object_type_id = $2) AS present
     ON CONFLICT DO NOTHING RETURNING key`,
    [ctx.scope.workspaceId, objectTypeId, JSON.stringify(fields), ctx.clock.now()],
  );
  return rows.length === fields.length;
}

export async function changeField(
  ctx: Context,
  objectTypeId: string,
  { key, label, options }: Pick<ObjectField, 'key' | 'label' | 'options'>,
): Promise<void> {
  await ctx.prisma.objectField.updateMany({ where: { objectTypeId, key }, data: { label, options } });
}

/** Sets the given columns and the time of the change; null does not change a column. */
export async function changeType(
  ctx: Context,
  id: string,
  change: { readonly status?: ObjectTypeStatus; readonly isApiVisible?: boolean },
): Promise<ObjectType> {
  const [row] = await ctx.sql.query<ObjectType>(
    `UPDATE loyalty.object_types AS t
        SET status = coalesce($3::loyalty."ObjectTypeStatus", t.status),
            is_api_visible = coalesce($4::boolean, t.is_api_visible), updated_at = $5
      WHERE t.workspace_id = $1 AND t.id = $2 RETURNING ${columns}`,
    [ctx.scope.workspaceId, id, change.status ?? null, change.isApiVisible ?? null, ctx.clock.now()],
  );
  return row!;
}

export async function readCatalog(ctx: Context): Promise<ConditionCatalog> {
  const [row] = await ctx.sql.query<ConditionCatalog>(
    `SELECT
       (SELECT coalesce(jsonb_agg(jsonb_build_object('key', f.key, 'label', f.label, 'type', f.type,
                                                     'options', f.options) ORDER BY f.key), '[]')
          FROM loyalty.custom_fields AS f
         WHERE f.workspace_id = $1 AND f.archived_at IS NULL) AS custom_fields,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('type', t.type, 'label', t.label, 'fields', (
                 SELECT coalesce(jsonb_agg(jsonb_build_object('key', f.key, 'label', f.label,
                                   'type', f.type, 'options', f.options) ORDER BY f.position), '[]')
                   FROM loyalty.object_fields AS f
                  WHERE f.workspace_id = t.workspace_id AND f.object_type_id = t.id)) ORDER BY t.type), '[]')
          FROM loyalty.object_types AS t
         WHERE t.workspace_id = $1 AND t.status = 'PUBLISHED') AS object_types,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name) ORDER BY t.rank), '[]')
          FROM loyalty.tiers AS t WHERE t.workspace_id = $1) AS tiers,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name) ORDER BY p.name), '[]')
          FROM loyalty.coupon_pools AS p WHERE p.workspace_id = $1 AND p.status <> 'ARCHIVED') AS pools`,
    [ctx.scope.workspaceId],
  );
  return row!;
}
