import type { Context } from '@loyalty/platform/context';
import { questions } from '../../peers.ts';

/** Is the module Web push on in the workspace? @throws AppError PEER_UNAVAILABLE (503) */
export async function hasWebPush(ctx: Context): Promise<boolean> {
  const { modules } = await ctx.services.peers.ask(ctx, 'workspace', questions.Modules, {});
  return modules.some(({ key, isEnabled }) => key === 'web_push' && isEnabled);
}
