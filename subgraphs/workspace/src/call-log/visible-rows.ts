import type { Context } from '@loyalty/platform/context';

/** Condition: live callers see rows of both modes, test callers those of the sandbox. Binds $1 and $2. */
export const visible = `workspace_id = $1 AND ($2 = 'LIVE' OR mode = 'TEST')`;

/** The values of $1 and $2. */
export const visibleTo = (ctx: Context) => [ctx.scope.workspaceId, ctx.scope.mode];
