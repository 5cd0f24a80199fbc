import { systemCaller } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { PLATFORM_WORKSPACE_ID, type WorkspaceKeyring } from '@loyalty/platform/crypto/keyring';

/** Keys for data of no workspace: accounts, and what is looked up before a workspace is known. */
export const accountKeys = (ctx: Context): Promise<WorkspaceKeyring> =>
  ctx.services.keyring.of(PLATFORM_WORKSPACE_ID);

/**
 * The context for what concerns an account alone. Accounts belong to no workspace, so their events and audit
 * entries are kept under the platform's own.
 */
export const asPlatform = (ctx: Context, name: string): Context =>
  ctx.as(systemCaller(name, { workspaceId: PLATFORM_WORKSPACE_ID, mode: 'LIVE' }));
