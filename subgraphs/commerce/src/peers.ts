import { questionsIn } from '@loyalty/platform/base/questions';
import type { Context } from '@loyalty/platform/context';
import type { MemberRefFragment, MemberRefsQueryVariables, Questions } from '#generated/peers';

/** What this subgraph asks of others. */
export const questions = questionsIn<Questions>(import.meta.dirname);

/**
 * Members that have one of the ids, address indexes (of the context EMAIL_INDEX) or external ids; unknown and
 * erased ones are left out.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function findMembers(
  ctx: Context,
  wanted: MemberRefsQueryVariables,
): Promise<readonly MemberRefFragment[]> {
  return (await ctx.services.peers.ask(ctx, 'loyalty', questions.MemberRefs, wanted))._memberRefs;
}

/** One member by id; null when the workspace has none. @throws AppError PEER_UNAVAILABLE (503) */
export async function findMember(ctx: Context, id: string): Promise<MemberRefFragment | null> {
  const [member] = await findMembers(ctx, { ids: [id] });
  return member ?? null;
}
