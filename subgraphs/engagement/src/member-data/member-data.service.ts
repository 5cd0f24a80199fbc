import { findMember } from '@loyalty/loyalty-subgraph/members/member-refs/member-refs.peer';
import type { Context } from '@loyalty/platform/context';
import { suppressionOfMember } from '../suppressions/suppressions.service.ts';

/**
 * Everything that this subgraph holds about a member, by section; a section more is a line more.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function memberData(ctx: Context, memberId: string): Promise<Record<string, unknown>> {
  const member = await findMember(ctx, memberId);
  return {
    suppression: await suppressionOfMember(ctx, member?.emailIndex ?? null),
  };
}
