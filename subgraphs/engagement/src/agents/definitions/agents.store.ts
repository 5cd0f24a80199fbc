import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context, Loader } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/loading/loaders';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/loading/pages';
import type { AgentDefinition } from './agent-definition.ts';

const columns = `id, name, version, archived_at, actor, created_at, updated_at`;

export const agentById: Loader<string, AgentDefinition> = loader(async (ctx, ids) => {
  const rows = await ctx.sql.query<AgentDefinition>(
    `SELECT ${columns} FROM engagement.agent_definitions WHERE ${inScope()} AND id = ANY($3::uuid[])`,
    [...scopeOf(ctx), ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

/** The definition as it is now, locked until the transaction ends. */
export async function lockAgent(tx: Context, id: string): Promise<AgentDefinition | null> {
  const [row] = await tx.sql.query<AgentDefinition>(
    `SELECT ${columns} FROM engagement.agent_definitions WHERE ${inScope()} AND id = $3 FOR UPDATE`,
    [...scopeOf(tx), id],
  );
  return row ?? null;
}

export async function agentOfName(ctx: Context, name: string): Promise<AgentDefinition | null> {
  const [row] = await ctx.sql.query<AgentDefinition>(
    `SELECT ${columns} FROM engagement.agent_definitions WHERE ${inScope()} AND name = $3`,
    [...scopeOf(ctx), name],
  );
  return row ?? null;
}

export async function agentsPage(
  ctx: Context,
  request: PageRequest,
  isArchived: boolean | null,
): Promise<Page<AgentDefinition>> {
  const where = `${inScope()} AND ($3::boolean IS NULL OR (archived_at IS NOT NULL) = $3)`;
  const { order, beyond } = scan(request);
  const rows = await ctx.sql.query<AgentDefinition>(
    `SELECT ${columns} FROM engagement.agent_definitions
      WHERE ${where} AND ($4::uuid IS NULL OR id ${beyond} $4)
      ORDER BY id ${order} LIMIT $5 OFFSET $6`,
    [...scopeOf(ctx), isArchived, request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows, async () => {
    const sql = `SELECT count(*)::int AS total FROM engagement.agent_definitions WHERE ${where}`;
    const [counted] = await ctx.sql.query<{ total: number }>(sql, [...scopeOf(ctx), isArchived]);
    return counted!.total;
  });
}

/** Null where the workspace has a definition of that name. */
export async function insertAgent(
  tx: Context,
  { id, name }: Pick<AgentDefinition, 'id' | 'name'>,
): Promise<AgentDefinition | null> {
  const [row] = await tx.sql.query<AgentDefinition>(
    `INSERT INTO engagement.agent_definitions (workspace_id, mode, id, name, actor, created_at, updated_at)
     VALUES ($1, $2::platform."Mode", $3, $4, $5, $6, $6)
     ON CONFLICT (workspace_id, mode, name) DO NOTHING
     RETURNING ${columns}`,
    [...scopeOf(tx), id, name, tx.caller.actor, tx.clock.now()],
  );
  return row ?? null;
}

/** Of a definition that the transaction has locked. */
export async function changeAgent(
  tx: Context,
  id: string,
  change: { readonly name: string; readonly version: number; readonly archivedAt: Date | null },
): Promise<AgentDefinition> {
  const [row] = await tx.sql.query<AgentDefinition>(
    `UPDATE engagement.agent_definitions
        SET name = $4, version = $5, archived_at = $6, updated_at = $7
      WHERE ${inScope()} AND id = $3 RETURNING ${columns}`,
    [...scopeOf(tx), id, change.name, change.version, change.archivedAt, tx.clock.now()],
  );
  return row!;
}
