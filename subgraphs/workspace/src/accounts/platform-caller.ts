import { systemCaller } from '@loyalty/platform/caller/caller';
import type { Context } from '@loyalty/platform/context';
import { PLATFORM_WORKSPACE_ID } from '@loyalty/platform/crypto/keyring';

/**
 * The context for what concerns an account alone. Accounts belong to no workspace, so their events and audit
 * entries are kept under the platform's own.
 */
export const asPlatform = (ctx: Context, name: string): Context =>
  ctx.as(systemCaller(name, { workspaceId: PLATFORM_WORKSPACE_ID, mode: 'LIVE' }));
