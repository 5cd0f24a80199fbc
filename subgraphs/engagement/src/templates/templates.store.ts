import type { Context } from '@loyalty/platform/context';
import { rowsOf } from '@loyalty/platform/database/array-parameters';
import { loader } from '@loyalty/platform/database/loaders';
import { type Placed, pageLoader } from '@loyalty/platform/database/page-loader';
import { type Page, type PageRequest, pageOf } from '@loyalty/platform/database/pages';
import { columns, inSql } from '@loyalty/prisma/columns';
import type { MessageCategory } from '../messages/message.ts';
import type { TemplateFormat } from './compile-source.ts';

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

const select = columns('id', 'name', 'category', 'version', 'createdAt', 'updatedAt', 'archivedAt');

const sqlColumns = inSql(select);

export const templateById = loader(async (ctx, ids: readonly string[]) => {
  const where = { id: { in: [...ids] } };
  const rows: MessageTemplate[] = await ctx.prisma.messageTemplate.findMany({ where, select });
  return new Map(rows.map((row) => [row.id, row]));
});

/** Reads a template without the cache of the loader. In SQL, because each message reads it. */
export async function findTemplate(ctx: Context, id: string): Promise<MessageTemplate | null> {
  const [row] = await ctx.sql.query<MessageTemplate>(
    `SELECT ${sqlColumns} FROM engagement.message_templates WHERE workspace_id = $1 AND id = $2`,
    [ctx.scope.workspaceId, id],
  );
  return row ?? null;
}

export const templatesPage = (
  ctx: Context,
  request: PageRequest,
  { category, isArchived }: { readonly category: MessageCategory | null; readonly isArchived: boolean },
): Promise<Page<MessageTemplate>> =>
  pageOf(ctx.prisma.messageTemplate, request, {
    where: { archivedAt: isArchived ? { not: null } : null, ...(category && { category }) },
    select,
  });

/** Inserts a template. Returns null if another template that is not archived has the name. */
export async function insertTemplate(
  ctx: Context,
  template: Pick<MessageTemplate, 'id' | 'name' | 'category'>,
): Promise<MessageTemplate | null> {
  const now = ctx.clock.now();
  const [row] = await ctx.prisma.messageTemplate.createManyAndReturn({
    data: [{ ...template, version: 1, createdAt: now, updatedAt: now }],
    skipDuplicates: true,
    select,
  });
  return row ?? null;
}

/**
 * Locks names until the transaction ends, because names are unique among all templates that are not archived.
 */
export async function lockNames(tx: Context): Promise<void> {
  await tx.sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('engagement.templates:' || $1, 0))`, [
    tx.scope.workspaceId,
  ]);
}

/** Whether another template that is not archived has the name. */
export async function nameIsTaken(ctx: Context, name: string, exceptId: string): Promise<boolean> {
  const where = { name, archivedAt: null, id: { not: exceptId } };
  return (await ctx.prisma.messageTemplate.findFirst({ where, select: columns('id') })) !== null;
}

/**
 * Changes a template if it has this version and is not archived; else returns null. Of two callers with the
 * same version, one gets null. A new name must be checked under `lockNames` before.
 */
export async function changeTemplate(
  ctx: Context,
  { id, version }: Pick<MessageTemplate, 'id' | 'version'>,
  { name, isNewVersion }: { readonly name: string | null; readonly isNewVersion: boolean },
): Promise<MessageTemplate | null> {
  const [row] = await ctx.prisma.messageTemplate.updateManyAndReturn({
    where: { id, version, archivedAt: null },
    data: {
      ...(name !== null && { name }),
      ...(isNewVersion && { version: version + 1 }),
      updatedAt: ctx.clock.now(),
    },
    select,
  });
  return row ?? null;
}

/** Archives a template. Returns null if it is archived already or unknown. */
export async function archiveTemplate(ctx: Context, id: string): Promise<MessageTemplate | null> {
  const now = ctx.clock.now();
  const [row] = await ctx.prisma.messageTemplate.updateManyAndReturn({
    where: { id, archivedAt: null },
    data: { archivedAt: now, updatedAt: now },
    select,
  });
  return row ?? null;
}

/**
 * Inserts the content of a version as the next version, in one statement. Returns null if that is not
 * possible.
 */
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
     SELECT ${sqlColumns} FROM t`,
    [ctx.scope.workspaceId, id, number, ctx.clock.now(), ctx.caller.actor],
  );
  return row ?? null;
}

export interface MessageTemplateVersion {
  /** The number as text, for cursors. */
  readonly id: string;
  readonly number: number;
  readonly subject: string;
  readonly format: TemplateFormat;
  readonly source: string;
  readonly html: string;
  readonly text: string;
  readonly actor: string;
  readonly createdAt: Date;
}

const versionColumns = `v.number::text AS id, v.number, v.subject, v.format, v.source, v.html, v.text,
  v.actor, v.created_at`;

/** Current versions by template. */
export const currentVersionByTemplate = loader(async (ctx, templateIds: readonly string[]) => {
  const rows = await ctx.sql.query<MessageTemplateVersion & { templateId: string }>(
    `SELECT v.template_id, ${versionColumns}
       FROM engagement.message_templates AS t
       JOIN engagement.message_template_versions AS v
         ON v.workspace_id = t.workspace_id AND v.template_id = t.id AND v.number = t.version
      WHERE t.workspace_id = $1 AND t.id = ANY($2::uuid[])`,
    [ctx.scope.workspaceId, templateIds],
  );
  return new Map(rows.map(({ templateId, ...row }) => [templateId, row as MessageTemplateVersion]));
});

/** Pages of versions of templates, newest first. */
export const versionsOfTemplate = pageLoader<string, MessageTemplateVersion>((ctx, wanted) => {
  const { owners, limits, offsets, cursorIds, order, beyond } = wanted;
  return ctx.sql.query<Placed<MessageTemplateVersion>>(
    `SELECT w.place, found.*
       FROM ${rowsOf('$2::uuid[], $3::int[], $4::int[], $5::int[]')}
         WITH ORDINALITY AS w(template_id, rows, skip, cursor_number, place)
      CROSS JOIN LATERAL (
        SELECT ${versionColumns} FROM engagement.message_template_versions AS v
         WHERE v.workspace_id = $1 AND v.template_id = w.template_id
           AND (w.cursor_number IS NULL OR v.number ${beyond} w.cursor_number)
         ORDER BY v.number ${order} LIMIT w.rows OFFSET w.skip
      ) AS found
      ORDER BY w.place`,
    [
      ctx.scope.workspaceId,
      owners,
      limits,
      offsets,
      cursorIds.map((id) => (id === null ? null : Number(id))),
    ],
  );
});

export async function findVersion(
  ctx: Context,
  templateId: string,
  number: number,
): Promise<(MessageTemplateVersion & { readonly category: MessageCategory }) | null> {
  const [row] = await ctx.sql.query<MessageTemplateVersion & { category: MessageCategory }>(
    `SELECT ${versionColumns}, t.category
       FROM engagement.message_template_versions AS v
       JOIN engagement.message_templates AS t ON t.workspace_id = v.workspace_id AND t.id = v.template_id
      WHERE v.workspace_id = $1 AND v.template_id = $2 AND v.number = $3`,
    [ctx.scope.workspaceId, templateId, number],
  );
  return row ?? null;
}

type NewVersion = Omit<MessageTemplateVersion, 'id' | 'actor' | 'createdAt'>;

/**
 * Inserts a version. Its number was set on the template in this transaction, so no other transaction can
 * write it.
 */
export async function insertVersion(ctx: Context, templateId: string, version: NewVersion): Promise<void> {
  const { number, subject, format, source, html, text } = version;
  const made = { actor: ctx.caller.actor, createdAt: ctx.clock.now() };
  await ctx.prisma.messageTemplateVersion.createMany({
    data: [{ templateId, number, subject, format, source, html, text, ...made }],
  });
}
