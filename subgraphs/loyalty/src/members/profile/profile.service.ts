import type { Context } from '@loyalty/platform/context';
import type { Member } from '../members/members.service.ts';
import { redeemedByMember } from './profile.store.ts';

/** The sums of a member's ledger, in points. */
export interface PointsSummary {
  readonly balance: number;
  readonly earnedTotal: bigint;
  readonly redeemedTotal: bigint;
  readonly computedAt: Date;
}

/**
 * The sums of a member's ledger; those of many members are read together.
 *
 * @remarks Source: v2 REST API, section 2, GET /members/{id}/profile; requirements L-PRO-05
 */
export const summarizePoints = async (ctx: Context, member: Member): Promise<PointsSummary> => ({
  balance: member.pointsBalance,
  earnedTotal: member.pointsEarned,
  redeemedTotal: (await ctx.load(redeemedByMember, member.id)) ?? 0n,
  computedAt: ctx.clock.now(),
});
