import type { Context } from '@loyalty/platform/context';
import { rowsOf } from '@loyalty/platform/loading/array-parameters';
import { loader } from '@loyalty/platform/loading/loaders';
import { type Placed, pageLoader } from '@loyalty/platform/loading/page-loader';
import type { MessageCategory } from '../messages/message.ts';
import type { TemplateFormat } from '../rendering/compile-source.ts';

export interface MessageTemplateVersion {
  /** The number, as cursors have it. */
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

const columns = `v.number::text AS id, v.number, v.subject, v.format, v.source, v.html, v.text, v.actor,
  v.created_at`;

/** The current versions of templates. */
export const currentVersionByTemplate = loader(async (ctx, templateIds: readonly string[]) => {
  const rows = await ctx.sql.query<MessageTemplateVersion & { templateId: string }>(
    `SELECT v.template_id, ${columns}
       FROM engagement.message_templates AS t
       JOIN engagement.message_template_versions AS v
         ON v.workspace_id = t.workspace_id AND v.template_id = t.id AND v.number = t.version
      WHERE t.workspace_id = $1 AND t.id = ANY($2::uuid[])`,
    [ctx.scope.workspaceId, templateIds],
  );
  return new Map(rows.map(({ templateId, ...row }) => [templateId, row as MessageTemplateVersion]));
});

/** Parts of the lists of versions of templates, newest first. */
export const versionsOfTemplate = pageLoader<string, MessageTemplateVersion>((ctx, wanted) => {
  const { owners, limits, offsets, cursorIds, order, beyond } = wanted;
  return ctx.sql.query<Placed<MessageTemplateVersion>>(
    `SELECT w.place, found.*
       FROM ${rowsOf('$2::uuid[], $3::int[], $4::int[], $5::int[]')}
         WITH ORDINALITY AS w(template_id, rows, skip, cursor_number, place)
      CROSS JOIN LATERAL (
        SELECT ${columns} FROM engagement.message_template_versions AS v
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
    `SELECT ${columns}, t.category
       FROM engagement.message_template_versions AS v
       JOIN engagement.message_templates AS t ON t.workspace_id = v.workspace_id AND t.id = v.template_id
      WHERE v.workspace_id = $1 AND v.template_id = $2 AND v.number = $3`,
    [ctx.scope.workspaceId, templateId, number],
  );
  return row ?? null;
}

type NewVersion = Omit<MessageTemplateVersion, 'id' | 'actor' | 'createdAt'>;

/** Its number is that of the template since this transaction, so nobody else can write it. */
export async function insertVersion(ctx: Context, templateId: string, version: NewVersion): Promise<void> {
  const { number, subject, format, source, html, text } = version;
  const made = { actor: ctx.caller.actor, createdAt: ctx.clock.now() };
  await ctx.prisma.messageTemplateVersion.createMany({
    data: [{ templateId, number, subject, format, source, html, text, ...made }],
  });
}
