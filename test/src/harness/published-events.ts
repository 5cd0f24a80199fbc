import type { Context } from '@loyalty/platform/context';

/** The payloads of the published events of a type, in the workspace and mode of `ctx`, oldest first. */
export async function publishedEvents(ctx: Context, type: string): Promise<Record<string, unknown>[]> {
  const rows = await ctx.sql.query<{ payload: Record<string, unknown> }>(
    `SELECT payload FROM platform.outbox WHERE workspace_id = $1 AND mode = $2::platform."Mode" AND type = $3
      ORDER BY id`,
    [ctx.scope.workspaceId, ctx.scope.mode, type],
  );
  return rows.map(({ payload }) => payload);
}
