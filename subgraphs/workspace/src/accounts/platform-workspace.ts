import { systemCaller } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { PLATFORM_WORKSPACE_ID, type WorkspaceKeyring } from '@loyalty/platform/crypto/keyring';

/**
 * Returns the keys for data outside of workspaces: accounts, and data that is read before a workspace is
 * known.
 */
export const accountKeys = (ctx: Context): Promise<WorkspaceKeyring> =>
  ctx.services.keyring.of(PLATFORM_WORKSPACE_ID);

/**
 * Returns the context for acts on an account. Accounts belong to no workspace, so their events and audit
 * entries are under the platform's own workspace.
 */
export const asPlatform = (ctx: Context, name: string): Context =>
  ctx.as(systemCaller(name, { workspaceId: PLATFORM_WORKSPACE_ID, mode: 'LIVE' }));
