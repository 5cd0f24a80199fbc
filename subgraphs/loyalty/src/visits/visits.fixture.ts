import type { Caller } from '@loyalty/platform/base/caller';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';

/** Inserts rows of other subgraphs to which visits refer. */
export const place = {
  workspace: async (ctx: Context, timeZone = 'UTC'): Promise<void> => {
    await ctx.sql.query('INSERT INTO workspace.workspaces (id, name, time_zone) VALUES ($1, $2, $3)', [
      ctx.scope.workspaceId,
      'Corner Shops',
      timeZone,
    ]);
  },
  store: async (ctx: Context, timeZone: string | null = null, status = 'ACTIVE'): Promise<string> => {
    const id = newId(ctx.clock);
    await ctx.sql.query(
      `INSERT INTO commerce.stores
         (id, workspace_id, name, address, status, time_zone, created_at, updated_at)
       VALUES ($1, $2, 'Corner', 'Street 1', $3::commerce."StoreStatus", $4, now(), now())`,
      [id, ctx.scope.workspaceId, status, timeZone],
    );
    return id;
  },
};

/** Returns the caller of a signed-in member in a caller's workspace and mode. */
export const memberCaller = (caller: Caller, memberId: string): Caller => ({
  ...caller,
  kind: 'MEMBER',
  actor: `member:${memberId}`,
  role: null,
  scopes: [],
});
