import type { Context } from '@loyalty/platform/context';
import { PLATFORM_WORKSPACE_ID, type WorkspaceKeyring } from '@loyalty/platform/crypto/keyring';

/** Keys for data of no workspace: accounts, and what is looked up before a workspace is known. */
export const accountKeys = (ctx: Context): Promise<WorkspaceKeyring> =>
  ctx.services.keyring.of(PLATFORM_WORKSPACE_ID);
