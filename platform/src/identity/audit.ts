import { firstIdAt, newId } from '../base/ids.ts';
import type { Context } from '../context.ts';
import type { Instants } from '../database/day-range.ts';
import { type Page, type PageRequest, page, scan } from '../database/pages.ts';

/** A change in the audit log; `before` and `after` contain no personal data and no secrets. */
export interface AuditChange {
  /** Verb and noun of the mutation, for example `setModule`. */
  readonly action: string;
  /** Noun as in the graph, for example `ApiKey`. */
  readonly resourceType: string;
  readonly resourceId: string;
  readonly before?: Readonly<Record<string, unknown>> | null;
  readonly after?: Readonly<Record<string, unknown>> | null;
}

export interface AuditEntry extends AuditChange {
  readonly id: string;
  readonly actor: string;
  readonly requestId: string;
  readonly createdAt: Date;
}

/** Records a change in the transaction that makes it. */
export async function audit(ctx: Context, change: AuditChange): Promise<void> {
  const { workspaceId, mode } = ctx.scope;
  await ctx.sql.query(
    `INSERT INTO platform.audit_entries
       (id, workspace_id, mode, actor, action, resource_type, resource_id, before, after, request_id,
        created_at)
     VALUES ($1, $2, $3::platform."Mode", $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      newId(ctx.clock),
      workspaceId,
      mode,
      ctx.caller.actor,
      change.action,
      change.resourceType,
      change.resourceId,
      change.before ? JSON.stringify(change.before) : null,
      change.after ? JSON.stringify(change.after) : null,
      ctx.request.requestId,
      ctx.clock.now(),
    ],
  );
}

/** Filter of changes; a missing field is no condition. */
interface AuditFilter extends Partial<Instants> {
  readonly resourceType?: string | null | undefined;
  readonly resourceId?: string | null | undefined;
  readonly actor?: string | null | undefined;
  readonly action?: string | null | undefined;
}

/** Returns changes in the workspace, newest first. The time of a change is that of its id. */
export async function listAudit(
  ctx: Context,
  request: PageRequest,
  filter: AuditFilter,
): Promise<Page<AuditEntry>> {
  const params: unknown[] = [ctx.scope.workspaceId];
  const bind = (value: unknown) => `$${params.push(value)}`;
  const where = conditionsOf(filter, bind);
  const counted = [...params];
  const { order, beyond } = scan(request);
  const behind = request.cursorId ? ` AND id ${beyond} ${bind(request.cursorId)}` : '';
  const rows = await ctx.sql.query<AuditEntry>(
    `SELECT id, actor, action, resource_type, resource_id, before, after, request_id, created_at
       FROM platform.audit_entries WHERE ${where}${behind}
      ORDER BY id ${order} LIMIT ${bind(request.size + 1)} OFFSET ${bind(request.offset)}`,
    params,
  );
  return page(request, rows, async () => {
    const [total] = await ctx.sql.query<{ total: bigint }>(
      `SELECT count(*) AS total FROM platform.audit_entries WHERE ${where}`,
      counted,
    );
    return Number(total?.total ?? 0);
  });
}

/** Contains only the given conditions, so that each combination gets a suitable query plan. */
function conditionsOf(filter: AuditFilter, bind: (value: unknown) => string): string {
  const { resourceType, resourceId, actor, action, from, to } = filter;
  return [
    'workspace_id = $1',
    ...(resourceType ? [`resource_type = ${bind(resourceType)}`] : []),
    ...(resourceId ? [`resource_id = ${bind(resourceId)}`] : []),
    ...(actor ? [`actor = ${bind(actor)}`] : []),
    ...(action ? [`action = ${bind(action)}`] : []),
    ...(from ? [`id >= ${bind(firstIdAt(from))}`] : []),
    ...(to ? [`id < ${bind(firstIdAt(to))}`] : []),
  ].join(' AND ');
}
