import type { Limits } from '@loyalty/platform/base/caller';
import { invalid, notFound } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { checkText, type Given, given } from '@loyalty/platform/base/input';
import { between } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/identity/audit';
import { forgetCredentials } from '@loyalty/platform/identity/credentials';
import {
  changeWorkspace,
  findOwnWorkspace,
  hasNoWorkspace,
  hasNoWorkspaceBut,
  insertWorkspace,
  type Workspace,
  type WorkspaceDetails,
  workspaceById,
} from './workspaces.store.ts';

export type { Workspace };
export { workspaceById };

/** The smallest and the largest value of each limit. */
const bounds: Record<keyof Limits, readonly [least: number, most: number]> = {
  valueCap: [1, 10_000_000],
  requestsPerMinute: [60, 600_000],
  modelRequestsPerMinute: [60, 600_000],
  valueWritesPerMinute: [1, 600_000],
  recordWritesPerMinute: [1, 600_000],
};

/** Creates the workspace of the caller's scope, with default settings and limits. */
export async function openWorkspace(ctx: Context, name: string): Promise<void> {
  await insertWorkspace(ctx, name);
  const resourceId = ctx.scope.workspaceId;
  await audit(ctx, { action: 'openWorkspace', resourceType: 'Workspace', resourceId });
}

/**
 * Returns the caller's workspace.
 *
 * @throws AppError WORKSPACE_NOT_FOUND (404)
 */
export async function getWorkspace(
  ctx: Context,
  lock: Parameters<typeof findOwnWorkspace>[1] = '',
): Promise<Workspace> {
  const workspace = await findOwnWorkspace(ctx, lock);
  if (!workspace) throw notFound('workspace', ctx.scope.workspaceId);
  return workspace;
}

/** Returns the caller's workspace if it has this id; otherwise null. */
export async function findWorkspace(ctx: Context, id: string): Promise<Workspace | null> {
  return id === ctx.scope.workspaceId ? ctx.load(workspaceById, id) : null;
}

/**
 * Locks the workspace's row until the transaction ends: one change of the team at a time.
 *
 * @throws AppError WORKSPACE_NOT_FOUND (404)
 */
export async function lockWorkspace(tx: Context): Promise<void> {
  await getWorkspace(tx, 'FOR NO KEY UPDATE');
}

/**
 * Changes name, time zone or currency; absent fields do not change.
 *
 * @throws AppError VALIDATION_FAILED (400)
 */
export async function updateWorkspace(ctx: Context, input: Given<WorkspaceDetails>): Promise<Workspace> {
  const details = given(input);
  const name = details.name === undefined ? {} : { name: checkText('input.name', details.name, 200) };
  return change(ctx, 'updateWorkspace', (before) => ({ ...before, ...details, ...name }));
}

/**
 * Changes limits of the workspace; absent fields do not change.
 *
 * @throws AppError VALIDATION_FAILED (400)
 */
export async function updateLimits(ctx: Context, input: Given<Limits>): Promise<Workspace> {
  const limits = given(input);
  gathered((check) => {
    for (const [name, [least, most]] of Object.entries(bounds)) {
      const limit = limits[name as keyof Limits];
      check(() => {
        if (limit !== undefined && (limit < least || limit > most))
          throw invalid(`input.${name}`, between(least, most));
      });
    }
  });
  return change(ctx, 'updateLimits', (before) => ({ ...before, limits: { ...before.limits, ...limits } }));
}

function change(ctx: Context, action: string, apply: (before: Workspace) => Workspace): Promise<Workspace> {
  return ctx.transaction(async (tx) => {
    const before = await getWorkspace(tx, 'FOR NO KEY UPDATE');
    const after = await changeWorkspace(tx, apply(before));
    await audit(tx, {
      action,
      resourceType: 'Workspace',
      resourceId: after.id,
      before: { ...before },
      after: { ...after },
    });
    forgetCredentials(tx, `workspace:${after.id}`);
    return after;
  });
}

/** Returns whether there is no workspace yet, so that a demo may be written. Only for system callers. */
export const isInstallationEmpty = (ctx: Context): Promise<boolean> => hasNoWorkspace(ctx);

/** Returns whether there is no workspace, or only one with this name. Only for system callers. */
export const hasNoOtherWorkspace = (ctx: Context, name: string): Promise<boolean> =>
  hasNoWorkspaceBut(ctx, name);
