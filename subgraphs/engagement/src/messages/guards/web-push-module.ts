import type { Context } from '@loyalty/platform/context';

const QUESTION = { query: 'query Modules { modules { key isEnabled } }', variables: {} };

/** Is the module Web push on in the workspace? @throws AppError PEER_UNAVAILABLE (503) */
export async function hasWebPush(ctx: Context): Promise<boolean> {
  const answer = await ctx.services.peers.ask(ctx, 'workspace', QUESTION);
  const modules = answer['modules'] as readonly { key: string; isEnabled: boolean }[];
  return modules.some(({ key, isEnabled }) => key === 'web_push' && isEnabled);
}
