import type { Context } from '@loyalty/platform/context';
import type { MemberRefFragment, MemberRefsQueryVariables } from '#generated/peers';
import { questions } from '../peers.ts';

/**
 * Members as the loyalty subgraph knows them: those that have one of the ids, address indexes (of the context
 * EMAIL_INDEX) or external ids. A member that is being erased counts as restricted, too: nothing is computed
 * about a restricted member, kept or shown.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function findMembers(
  ctx: Context,
  wanted: MemberRefsQueryVariables,
): Promise<MemberRefFragment[]> {
  const found = await ctx.services.peers.ask(ctx, 'loyalty', questions.MemberRefs, wanted);
  return found._memberRefs.map((member) => ({
    ...member,
    isRestricted: member.isRestricted || member.status === 'DEACTIVATION_PENDING',
  }));
}
