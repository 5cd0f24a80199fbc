import type { Context } from '../context.ts';
import { type Page, type PageRequest, page, scan } from '../loading/pages.ts';
import { newId } from '../values/ids.ts';

/** What a back-office change looked like; before and after carry no personal data and no secrets. */
export interface AuditChange {
  /** Verb and noun of the mutation, for example `setModule`. */
  readonly action: string;
  /** Noun in the graph's spelling, for example `ApiKey`. */
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

/** Records a change in the transaction of the change itself. */
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
      ctx.requestId,
      ctx.clock.now(),
    ],
  );
}

/** Changes in the workspace, newest first, optionally of one resource. */
export async function listAudit(
  ctx: Context,
  request: PageRequest,
  filter: { resourceType?: string | null; resourceId?: string | null },
): Promise<Page<AuditEntry>> {
  const where = `workspace_id = $1
        AND ($2::text IS NULL OR resource_type = $2)
        AND ($3::text IS NULL OR resource_id = $3)`;
  const params = [ctx.scope.workspaceId, filter.resourceType ?? null, filter.resourceId ?? null];
  const { order, beyond } = scan(request);
  const rows = await ctx.sql.query<AuditEntry>(
    `SELECT id, actor, action, resource_type AS "resourceType", resource_id AS "resourceId", before, after,
            request_id AS "requestId", created_at AS "createdAt"
       FROM platform.audit_entries WHERE ${where} AND ($4::uuid IS NULL OR id ${beyond} $4)
      ORDER BY id ${order} LIMIT $5 OFFSET $6`,
    [...params, request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows, async () => {
    const [counted] = await ctx.sql.query<{ total: bigint }>(
      `SELECT count(*) AS total FROM platform.audit_entries WHERE ${where}`,
      params,
    );
    return Number(counted?.total ?? 0);
  });
}
