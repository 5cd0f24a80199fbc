import type { Context } from '@loyalty/platform/context';
import { questions } from '../../peers.ts';

/** What the workspace is called. @throws AppError PEER_UNAVAILABLE (503) */
export async function workspaceName(ctx: Context): Promise<string> {
  return (await ctx.services.peers.ask(ctx, 'workspace', questions.WorkspaceName, {})).workspace.name;
}
