import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/loading/loaders';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/loading/pages';

import type { MessageCategory } from '../messages/message.ts';

export interface MessageTemplate {
  readonly id: string;
  readonly name: string;
  readonly category: MessageCategory;
  /** The number of the current version. */
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly archivedAt: Date | null;
}

const columns = `t.id, t.name, t.category, t.version, t.created_at, t.updated_at, t.archived_at`;

export const templateById = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<MessageTemplate>(
    `SELECT ${columns} FROM engagement.message_templates AS t
      WHERE t.workspace_id = $1 AND t.id = ANY($2::uuid[])`,
    [ctx.scope.workspaceId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

/** The template as it is now, not as the loader has cached it. */
export async function findTemplate(ctx: Context, id: string): Promise<MessageTemplate | null> {
  const [row] = await ctx.sql.query<MessageTemplate>(
    `SELECT ${columns} FROM engagement.message_templates AS t WHERE t.workspace_id = $1 AND t.id = $2`,
    [ctx.scope.workspaceId, id],
  );
  return row ?? null;
}

export async function templatesPage(
  ctx: Context,
  request: PageRequest,
  filter: { readonly category: MessageCategory | null; readonly isArchived: boolean },
): Promise<Page<MessageTemplate>> {
  const where = `t.workspace_id = $1 AND (t.archived_at IS NOT NULL) = $2
    AND ($3::engagement."MessageCategory" IS NULL OR t.category = $3::engagement."MessageCategory")`;
  const params = [ctx.scope.workspaceId, filter.isArchived, filter.category];
  const { order, beyond } = scan(request);
  const rows = await ctx.sql.query<MessageTemplate>(
    `SELECT ${columns} FROM engagement.message_templates AS t
      WHERE ${where} AND ($4::uuid IS NULL OR t.id ${beyond} $4)
      ORDER BY t.id ${order} LIMIT $5 OFFSET $6`,
    [...params, request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows, async () => {
    const sql = `SELECT count(*)::int AS total FROM engagement.message_templates AS t WHERE ${where}`;
    const [counted] = await ctx.sql.query<{ total: number }>(sql, params);
    return counted?.total ?? 0;
  });
}

/** Null when another template that is not archived has the name. */
export async function insertTemplate(
  ctx: Context,
  template: { readonly id: string; readonly name: string; readonly category: MessageCategory },
): Promise<MessageTemplate | null> {
  const [row] = await ctx.sql.query<MessageTemplate>(
    `INSERT INTO engagement.message_templates AS t
            (workspace_id, id, name, category, version, created_at, updated_at)
     VALUES ($1, $2, $3, $4::engagement."MessageCategory", 1, $5, $5)
     ON CONFLICT DO NOTHING RETURNING ${columns}`,
    [ctx.scope.workspaceId, template.id, template.name, template.category, ctx.clock.now()],
  );
  return row ?? null;
}

/** One new name at a time, until the transaction ends: names are unique among all templates in use. */
export async function lockNames(tx: Context): Promise<void> {
  await tx.sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('engagement.templates:' || $1, 0))`, [
    tx.scope.workspaceId,
  ]);
}

/** Does another template that is not archived have the name? */
export async function nameIsTaken(ctx: Context, name: string, exceptId: string): Promise<boolean> {
  const rows = await ctx.sql.query(
    `SELECT 1 FROM engagement.message_templates
      WHERE workspace_id = $1 AND name = $2 AND archived_at IS NULL AND id <> $3`,
    [ctx.scope.workspaceId, name, exceptId],
  );
  return rows.length > 0;
}

/**
 * Changes a template that has this version and is not archived; null where that is no longer so. Of two
 * callers with the same version, one gets null. A new name is checked under `lockNames` before.
 */
export async function changeTemplate(
  ctx: Context,
  expected: Pick<MessageTemplate, 'id' | 'version'>,
  { name, isNewVersion }: { readonly name: string | null; readonly isNewVersion: boolean },
): Promise<MessageTemplate | null> {
  const [row] = await ctx.sql.query<MessageTemplate>(
    `UPDATE engagement.message_templates AS t
        SET name = coalesce($4, t.name), version = t.version + $5::int, updated_at = $6
      WHERE t.workspace_id = $1 AND t.id = $2 AND t.version = $3 AND t.archived_at IS NULL
     RETURNING ${columns}`,
    [ctx.scope.workspaceId, expected.id, expected.version, name, isNewVersion ? 1 : 0, ctx.clock.now()],
  );
  return row ?? null;
}

/** Null where it is archived already, or there is none. */
export async function archiveTemplate(ctx: Context, id: string): Promise<MessageTemplate | null> {
  const [row] = await ctx.sql.query<MessageTemplate>(
    `UPDATE engagement.message_templates AS t SET archived_at = $3, updated_at = $3
      WHERE t.workspace_id = $1 AND t.id = $2 AND t.archived_at IS NULL RETURNING ${columns}`,
    [ctx.scope.workspaceId, id, ctx.clock.now()],
  );
  return row ?? null;
}

/** Makes the content of a version the next one, in one statement; null where that cannot be. */
export async function restoreVersion(
  ctx: Context,
  id: string,
  number: number,
): Promise<MessageTemplate | null> {
  const [row] = await ctx.sql.query<MessageTemplate>(
    `WITH t AS (
       UPDATE engagement.message_templates AS t SET version = t.version + 1, updated_at = $4
        WHERE t.workspace_id = $1 AND t.id = $2 AND t.archived_at IS NULL
          AND EXISTS (SELECT FROM engagement.message_template_versions AS v
                       WHERE v.workspace_id = $1 AND v.template_id = $2 AND v.number = $3)
       RETURNING t.*
     ), restored AS (
       INSERT INTO engagement.message_template_versions
              (workspace_id, template_id, number, subject, format, source, html, text, actor, created_at)
       SELECT v.workspace_id, v.template_id, t.version, v.subject, v.format, v.source, v.html, v.text, $5, $4
         FROM engagement.message_template_versions AS v
         JOIN t ON t.workspace_id = v.workspace_id AND t.id = v.template_id
        WHERE v.workspace_id = $1 AND v.template_id = $2 AND v.number = $3
     )
     SELECT ${columns} FROM t`,
    [ctx.scope.workspaceId, id, number, ctx.clock.now(), ctx.caller.actor],
  );
  return row ?? null;
}
