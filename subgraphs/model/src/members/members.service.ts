import {
  type MemberRef,
  findMembers as membersOfLoyalty,
} from '@loyalty/loyalty-subgraph/members/member-refs/member-refs.peer';
import type { Context } from '@loyalty/platform/context';

export type { MemberRef };

/**
 * Members as the loyalty subgraph knows them. A member that is being erased counts as restricted, too:
 * nothing is computed about a restricted member, kept or shown.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function findMembers(
  ctx: Context,
  wanted: Parameters<typeof membersOfLoyalty>[1],
): Promise<MemberRef[]> {
  return (await membersOfLoyalty(ctx, wanted)).map((member) => ({
    ...member,
    isRestricted: member.isRestricted || member.status === 'DEACTIVATION_PENDING',
  }));
}
