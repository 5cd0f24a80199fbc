import type { Context } from '@loyalty/platform/context';

/** The stored state of a module in a workspace. */
export interface ModuleSwitch {
  readonly key: string;
  readonly isEnabled: boolean;
  readonly changedAt: Date;
}

export async function findSwitches(ctx: Context): Promise<ReadonlyMap<string, ModuleSwitch>> {
  const rows = await ctx.sql.query<ModuleSwitch>(
    'SELECT key, is_enabled, changed_at FROM workspace.module_switches WHERE workspace_id = $1',
    [ctx.scope.workspaceId],
  );
  return new Map(rows.map((row) => [row.key, row]));
}

/** Returns null if the module already has this state; a module without a stored state is disabled. */
export async function writeSwitch(
  ctx: Context,
  key: string,
  isEnabled: boolean,
): Promise<ModuleSwitch | null> {
  const [row] = await ctx.sql.query<ModuleSwitch>(
    `INSERT INTO workspace.module_switches AS s (workspace_id, key, is_enabled, changed_at)
     SELECT $1, $2, $3, $4
      WHERE $3 OR EXISTS (SELECT 1 FROM workspace.module_switches WHERE workspace_id = $1 AND key = $2)
     ON CONFLICT (workspace_id, key) DO UPDATE
        SET is_enabled = excluded.is_enabled, changed_at = excluded.changed_at
      WHERE s.is_enabled <> excluded.is_enabled
     RETURNING key, is_enabled, changed_at`,
    [ctx.scope.workspaceId, key, isEnabled, ctx.clock.now()],
  );
  return row ?? null;
}
