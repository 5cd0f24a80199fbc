import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/loading/loaders';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/loading/pages';
import type { CustomFieldType, FieldDefinition } from './custom-values.ts';

export interface CustomField extends FieldDefinition {
  readonly id: string;
  readonly label: string;
  readonly createdAt: Date;
}

const columns = `id, key, label, type, options, created_at, archived_at`;

/**
 * Locks the definitions until the transaction ends: writers of values share the lock, a change of a
 * definition takes it exclusively. It is an advisory lock, because a row lock of every writer would rewrite
 * the rows of the definitions.
 */
export async function lockFields(ctx: Context, as: 'WRITER_OF_VALUES' | 'WRITER_OF_FIELDS'): Promise<void> {
  const lock = as === 'WRITER_OF_VALUES' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await ctx.sql.query(`SELECT ${lock}(hashtextextended('loyalty.custom_fields:' || $1, 0))`, [
    ctx.scope.workspaceId,
  ]);
}

/** Every definition of a workspace, archived ones too; there are few. */
export async function allFields(ctx: Context): Promise<readonly CustomField[]> {
  return ctx.sql.query<CustomField>(
    `SELECT ${columns} FROM loyalty.custom_fields WHERE workspace_id = $1 ORDER BY id`,
    [ctx.scope.workspaceId],
  );
}

/** Active keys by workspace; the only workspace requested is the caller's. */
export const activeKeys = loader(async (ctx, workspaceIds: readonly string[]) => {
  const rows = await ctx.sql.query<{ key: string }>(
    'SELECT key FROM loyalty.custom_fields WHERE workspace_id = $1 AND archived_at IS NULL',
    [ctx.scope.workspaceId],
  );
  return new Map(workspaceIds.map((id) => [id, new Set(rows.map((row) => row.key))]));
});

/** A field by its id. */
export const fieldById = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<CustomField>(
    `SELECT ${columns} FROM loyalty.custom_fields WHERE workspace_id = $1 AND id = ANY($2::uuid[])`,
    [ctx.scope.workspaceId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

export async function findField(ctx: Context, key: string): Promise<CustomField | null> {
  const [row] = await ctx.sql.query<CustomField>(
    `SELECT ${columns} FROM loyalty.custom_fields WHERE workspace_id = $1 AND key = $2`,
    [ctx.scope.workspaceId, key],
  );
  return row ?? null;
}

export async function fieldsPage(
  ctx: Context,
  request: PageRequest,
  isArchived: boolean,
): Promise<Page<CustomField>> {
  const where = 'workspace_id = $1 AND (archived_at IS NOT NULL) = $2';
  const params = [ctx.scope.workspaceId, isArchived];
  const { order, beyond } = scan(request);
  const rows = await ctx.sql.query<CustomField>(
    `SELECT ${columns} FROM loyalty.custom_fields WHERE ${where} AND ($3::uuid IS NULL OR id ${beyond} $3)
      ORDER BY id ${order} LIMIT $4 OFFSET $5`,
    [...params, request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows, async () => {
    const sql = `SELECT count(*)::int AS total FROM loyalty.custom_fields WHERE ${where}`;
    const [counted] = await ctx.sql.query<{ total: number }>(sql, params);
    return counted?.total ?? 0;
  });
}

type Definition = Pick<CustomField, 'id' | 'key' | 'label' | 'type' | 'options'>;

/** Null when the key was ever used, also by an archived field. */
export async function insertField(ctx: Context, field: Definition): Promise<CustomField | null> {
  const [row] = await ctx.sql.query<CustomField>(
    `INSERT INTO loyalty.custom_fields (id, workspace_id, key, label, type, options, created_at)
     VALUES ($1, $2, $3, $4, $5::loyalty."CustomFieldType", $6, $7) ON CONFLICT DO NOTHING
       RETURNING ${columns}`,
    [field.id, ctx.scope.workspaceId, field.key, field.label, field.type, field.options, ctx.clock.now()],
  );
  return row ?? null;
}

export async function changeField(
  ctx: Context,
  field: Pick<CustomField, 'id' | 'label' | 'options'>,
): Promise<CustomField> {
  return ctx.prisma.customField.update({
    where: { workspaceId_id: { workspaceId: ctx.scope.workspaceId, id: field.id } },
    data: { label: field.label, options: [...field.options] },
    select,
  });
}

export async function archiveField(ctx: Context, id: string): Promise<CustomField> {
  return ctx.prisma.customField.update({
    where: { workspaceId_id: { workspaceId: ctx.scope.workspaceId, id } },
    data: { archivedAt: ctx.clock.now() },
    select,
  });
}

/** The first of the options that a member of either mode has; null when none does. */
export async function optionInUse(
  ctx: Context,
  field: { readonly key: string; readonly type: CustomFieldType },
  options: readonly string[],
): Promise<string | null> {
  const [row] = await ctx.sql.query<{ option: string }>(
    `SELECT option FROM unnest($2::text[]) AS option
      WHERE EXISTS (SELECT 1 FROM loyalty.members AS m
                     WHERE m.workspace_id = $1 AND m.custom_attributes <> '{}'
                       AND m.custom_attributes @> jsonb_build_object($3::text,
                           CASE WHEN $4 THEN jsonb_build_array(option) ELSE to_jsonb(option) END))
      LIMIT 1`,
    [ctx.scope.workspaceId, options, field.key, field.type === 'LIST'],
  );
  return row?.option ?? null;
}

const select = {
  id: true,
  key: true,
  label: true,
  type: true,
  options: true,
  createdAt: true,
  archivedAt: true,
} as const;
