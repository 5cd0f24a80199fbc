import { questionsIn } from '@loyalty/platform/base/questions';
import type { Context } from '@loyalty/platform/context';
import type { MemberRefFragment, MemberRefsQueryVariables, Questions } from '#generated/peers';

/** The queries that this subgraph sends to other subgraphs. */
export const questions = questionsIn<Questions>(import.meta.dirname);

/**
 * Returns the members with one of the ids, blind indexes of addresses (context EMAIL_INDEX) or external ids.
 * Unknown and erased members are omitted.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function findMembers(
  ctx: Context,
  wanted: MemberRefsQueryVariables,
): Promise<readonly MemberRefFragment[]> {
  return (await ctx.services.peers.ask(ctx, 'loyalty', questions.MemberRefs, wanted))._memberRefs;
}

/**
 * Returns a member by id, or null if the workspace has no such member. @throws AppError PEER_UNAVAILABLE
 * (503)
 */
export async function findMember(ctx: Context, id: string): Promise<MemberRefFragment | null> {
  const [member] = await findMembers(ctx, { ids: [id] });
  return member ?? null;
}
