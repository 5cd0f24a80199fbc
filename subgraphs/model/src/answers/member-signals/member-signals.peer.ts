import type { Context } from '@loyalty/platform/context';

/** Scores of a member's saved state, from 0 to 1, and what is predicted; null where there is none. */
export interface MemberSignals {
  readonly memberId: string;
  readonly purchaseScore: number | null;
  readonly longGapScore: number | null;
  readonly cartRemovalScore: number | null;
  /** Cycles of its own rhythm that the member has missed. */
  readonly overdueCycles: number | null;
  /** YYYY-MM-DD, by the member's own rhythm. */
  readonly nextOrderOn: string | null;
  readonly nextOrderConfidence: 'LOW' | 'MEDIUM' | 'HIGH' | null;
  /** The member has left for good more likely than not. */
  readonly isLikelyLapsed: boolean;
}

const SIGNALS = 'query MemberSignals($memberIds: [ID!]!) { _memberSignals(memberIds: $memberIds) }';

/**
 * Signals of members, at most 1,000; those about whom nothing may be shown are left out.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function findMemberSignals(
  ctx: Context,
  memberIds: readonly string[],
): Promise<readonly MemberSignals[]> {
  const question = { query: SIGNALS, variables: { memberIds } };
  return (await ctx.services.peers.ask(ctx, 'model', question))['_memberSignals'] as MemberSignals[];
}
