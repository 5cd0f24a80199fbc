import type { Context } from '@loyalty/platform/context';
import { questions } from '../../peers.ts';

/** The workspace's own IANA time zone. @throws AppError PEER_UNAVAILABLE (503) */
export async function workspaceTimeZone(ctx: Context): Promise<string> {
  return (await ctx.services.peers.ask(ctx, 'workspace', questions.WorkspaceTimeZone, {})).workspace.timeZone;
}
