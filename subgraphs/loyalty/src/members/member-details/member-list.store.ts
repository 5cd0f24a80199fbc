import type { Context } from '@loyalty/platform/context';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/loading/pages';
import { memberColumns } from '../members/member-sql.ts';
import type { Member, MemberStatus } from '../members/members.service.ts';

const scoped = `m.workspace_id = $1 AND m.mode = $2::platform."Mode"`;

export interface MemberFilter {
  readonly status: MemberStatus | null;
  readonly programId: string | null;
  readonly tagId: string | null;
  /** Blind indexes and plain text of one searched value. */
  readonly search: { readonly emailIndexes: readonly string[]; readonly externalId: string } | null;
}

export async function membersPage(
  ctx: Context,
  request: PageRequest,
  filter: MemberFilter,
): Promise<Page<Member>> {
  const params: unknown[] = [ctx.scope.workspaceId, ctx.scope.mode];
  const bind = (value: unknown) => `$${params.push(value)}`;
  const where = conditionsOf(filter, bind);
  const counted = [...params];
  const { order, beyond } = scan(request);
  const behindCursor = request.cursorId ? ` AND m.id ${beyond} ${bind(request.cursorId)}` : '';
  const limits = `LIMIT ${bind(request.size + 1)} OFFSET ${bind(request.offset)}`;
  // Rows that an offset skips are read from an index alone.
  const rows = await ctx.sql.query<Member>(
    `SELECT ${memberColumns}
       FROM (SELECT m.id FROM loyalty.members AS m
              WHERE ${where}${behindCursor} ORDER BY m.id ${order} ${limits}) AS found
       JOIN loyalty.members AS m ON ${scoped} AND m.id = found.id
      ORDER BY m.id ${order}`,
    params,
  );
  return page(request, rows, async () => {
    const sql = `SELECT count(*)::int AS total FROM loyalty.members AS m WHERE ${where}`;
    const [count] = await ctx.sql.query<{ total: number }>(sql, counted);
    return count?.total ?? 0;
  });
}

/** Only conditions that apply are written, so that each combination keeps the plan that fits it. */
function conditionsOf(filter: MemberFilter, bind: (value: unknown) => string): string {
  const conditions = [
    scoped,
    filter.status ? `m.status = ${bind(filter.status)}::loyalty."MemberStatus"` : 'm.erased_at IS NULL',
    ...(filter.programId ? [`m.program_id = ${bind(filter.programId)}`] : []),
  ];
  if (filter.tagId) {
    conditions.push(`m.id IN (SELECT mt.member_id FROM loyalty.member_tags AS mt
      WHERE mt.workspace_id = $1 AND mt.mode = $2::platform."Mode" AND mt.tag_id = ${bind(filter.tagId)})`);
  }
  if (filter.search) {
    const { emailIndexes, externalId } = filter.search;
    conditions.push(
      `(m.email_index = ANY(${bind(emailIndexes)}::text[]) OR m.external_id = ${bind(externalId)})`,
    );
  }
  return conditions.join(' AND ');
}

/** Those of these members that the filter lets through. The ids are rows: a long array takes seconds. */
const among = (ctx: Context, ids: readonly string[], filter: MemberFilter) => {
  const params: unknown[] = [ctx.scope.workspaceId, ctx.scope.mode, ids];
  const where = conditionsOf(filter, (value) => `$${params.push(value)}`);
  const from = `FROM unnest($3::uuid[]) AS w(id) JOIN loyalty.members AS m ON ${scoped} AND m.id = w.id`;
  return { params, text: `${from} WHERE ${where}` };
};

/** Those of these members that the filter lets through, in the order of the request. */
export function membersAmong(
  ctx: Context,
  ids: readonly string[],
  { filter, request }: { readonly filter: MemberFilter; readonly request: PageRequest },
): Promise<Member[]> {
  const { params, text } = among(ctx, ids, filter);
  return ctx.sql.query(`SELECT ${memberColumns} ${text} ORDER BY m.id ${scan(request).order}`, params);
}

/** How many of these members the filter lets through. */
export async function countAmong(
  ctx: Context,
  ids: readonly string[],
  filter: MemberFilter,
): Promise<number> {
  const { params, text } = among(ctx, ids, filter);
  const [row] = await ctx.sql.query<{ total: number }>(`SELECT count(*)::int AS total ${text}`, params);
  return row?.total ?? 0;
}
