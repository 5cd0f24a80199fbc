import type { Context } from '@loyalty/platform/context';
import { newId } from '@loyalty/platform/values/ids';

/** A template of one version, as rows. */
export async function givenTemplate(
  ctx: Context,
  {
    category = 'TRANSACTIONAL',
    subject = 'Order {{ data.order_number }}',
    html = '<p>Hello {{ member.first_name }}, order {{ data.order_number }} is sent.</p>',
  }: {
    readonly category?: 'TRANSACTIONAL' | 'MARKETING';
    readonly subject?: string;
    readonly html?: string;
  } = {},
): Promise<string> {
  const id = newId(ctx.clock);
  const { workspaceId } = ctx.scope;
  await ctx.sql.query(
    `INSERT INTO engagement.message_templates
            (workspace_id, id, name, category, version, created_at, updated_at)
     VALUES ($1, $2, $3, $4::engagement."MessageCategory", 1, $5, $5)`,
    [workspaceId, id, `Template ${id}`, category, ctx.clock.now()],
  );
  await ctx.sql.query(
    `INSERT INTO engagement.message_template_versions
            (workspace_id, template_id, number, subject, format, source, html, text, actor, created_at)
     VALUES ($1, $2, 1, $3, 'HTML', $4, $4, 'Text', 'user:test', $5)`,
    [workspaceId, id, subject, html, ctx.clock.now()],
  );
  return id;
}
