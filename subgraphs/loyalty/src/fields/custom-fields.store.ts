import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { type Page, type PageRequest, page, pageOf, scan } from '@loyalty/platform/database/pages';
import { inScope } from '@loyalty/platform/database/scope-sql';
import { columns, inSql } from '@loyalty/prisma/columns';
import type { CustomFieldType, FieldDefinition } from './custom-values.ts';

export interface CustomField extends FieldDefinition {
  readonly id: string;
  readonly label: string;
  readonly createdAt: Date;
}

const select = columns('id', 'key', 'label', 'type', 'options', 'createdAt', 'archivedAt');

const sqlColumns = inSql(select);

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

/**
 * Returns every definition of a workspace, including archived ones; there are few. In SQL, because members
 * need them.
 */
export const allFields = (ctx: Context): Promise<CustomField[]> =>
  ctx.sql.query<CustomField>(
    `SELECT ${sqlColumns} FROM loyalty.custom_fields WHERE workspace_id = $1 ORDER BY id`,
    [ctx.scope.workspaceId],
  );

/**
 * Active keys by workspace; the only workspace requested is the caller's. In SQL, because lists of members
 * read them.
 */
export const activeKeys = loader(async (ctx, workspaceIds: readonly string[]) => {
  const rows = await ctx.sql.query<{ key: string }>(
    'SELECT key FROM loyalty.custom_fields WHERE workspace_id = $1 AND archived_at IS NULL',
    [ctx.scope.workspaceId],
  );
  return new Map(workspaceIds.map((id) => [id, new Set(rows.map((row) => row.key))]));
});

/** A field by its id. */
export const fieldById = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.prisma.customField.findMany({ where: { id: { in: [...ids] } }, select });
  return new Map(rows.map((row) => [row.id, row]));
});

export const findField = (ctx: Context, key: string): Promise<CustomField | null> =>
  ctx.prisma.customField.findFirst({ where: { key }, select });

export const fieldsPage = (
  ctx: Context,
  request: PageRequest,
  isArchived: boolean,
): Promise<Page<CustomField>> =>
  pageOf(ctx.prisma.customField, request, {
    where: { archivedAt: isArchived ? { not: null } : null },
    select,
  });

type Definition = Pick<CustomField, 'id' | 'key' | 'label' | 'type' | 'options'>;

/** Returns null if the key was ever used, also by an archived field. */
export async function insertField(ctx: Context, field: Definition): Promise<CustomField | null> {
  const [row] = await ctx.prisma.customField.createManyAndReturn({
    data: [{ ...field, options: [...field.options], createdAt: ctx.clock.now() }],
    skipDuplicates: true,
    select,
  });
  return row ?? null;
}

type Change = Partial<Pick<CustomField, 'label' | 'options' | 'archivedAt'>>;

export async function changeField(ctx: Context, id: string, change: Change): Promise<CustomField> {
  const [row] = await ctx.prisma.customField.updateManyAndReturn({ where: { id }, data: change, select });
  return row!;
}

/** Returns the first of the options that a member of either mode has; null if none does. */
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

/** The value of one member in one field. */
export interface CustomFieldValue {
  /** `<memberId>:<key>`, as in cursors. */
  readonly id: string;
  readonly memberId: string;
  readonly key: string;
  readonly value: unknown;
  readonly updatedAt: Date;
}

interface ValueFilter {
  readonly memberId: string | null;
  readonly key: string | null;
}

/** Returns values in active fields, newest member first, then by key. */
export async function valuesPage(
  ctx: Context,
  request: PageRequest,
  filter: ValueFilter,
): Promise<Page<CustomFieldValue>> {
  const { workspaceId, mode } = ctx.scope;
  const params: unknown[] = [workspaceId, mode];
  const bind = (value: unknown) => `$${params.push(value)}`;
  const conditions = [`${inScope('m')} AND m.custom_attributes <> '{}'`];
  if (filter.memberId) conditions.push(`m.id = ${bind(filter.memberId)}`);
  if (filter.key) conditions.push(`a.key = ${bind(filter.key)}`);
  const from = `FROM loyalty.members AS m
    CROSS JOIN LATERAL jsonb_each(m.custom_attributes) AS a
    JOIN loyalty.custom_fields AS f ON f.workspace_id = m.workspace_id AND f.key = a.key
      AND f.archived_at IS NULL
    WHERE ${conditions.join(' AND ')}`;
  const counted = [...params];
  const members = scan(request);
  const keys = scan(request, 'ASC');
  const [memberId, key] = request.cursorId?.split(':') ?? [];
  const behindCursor = memberId
    ? ` AND m.id ${members.beyond}= ${bind(memberId)}
        AND (m.id <> $${params.length} OR a.key ${keys.beyond} ${bind(key)})`
    : '';
  const rows = await ctx.sql.query<CustomFieldValue>(
    `SELECT m.id || ':' || a.key AS id, m.id AS member_id, a.key, a.value,
      m.updated_at ${from}${behindCursor}
      ORDER BY m.id ${members.order}, a.key ${keys.order}
      LIMIT ${bind(request.size + 1)} OFFSET ${bind(request.offset)}`,
    params,
  );
  return page(request, rows, async () => {
    const [count] = await ctx.sql.query<{ total: number }>(`SELECT count(*)::int AS total ${from}`, counted);
    return count?.total ?? 0;
  });
}
