import type { Context } from '@loyalty/platform/context';

/** What the workspace is called. @throws AppError PEER_UNAVAILABLE (503) */
export async function workspaceName(ctx: Context): Promise<string> {
  const request = { query: 'query WorkspaceName { workspace { name } }', variables: {} };
  const answer = await ctx.services.peers.ask(ctx, 'workspace', request);
  return (answer['workspace'] as { name: string }).name;
}
