import { inScope } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/loading/pages';

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

/** Values in active fields, newest member first, then by key. */
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
