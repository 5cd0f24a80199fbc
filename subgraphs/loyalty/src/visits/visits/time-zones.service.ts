import type { Context } from '@loyalty/platform/context';

/** The workspace's own IANA time zone. @throws AppError PEER_UNAVAILABLE (503) */
export async function workspaceTimeZone(ctx: Context): Promise<string> {
  const request = { query: 'query TimeZone { workspace { timeZone } }', variables: {} };
  const answer = await ctx.services.peers.ask(ctx, 'workspace', request);
  return (answer['workspace'] as { timeZone: string }).timeZone;
}
