import type { MutationResolvers, ReferralResolvers } from '#generated/schema';
import { referredMember } from '../../members/members/members.service.ts';
import { attributeReferral } from './referrals.service.ts';

export const Mutation = {
  attributeReferral: (_, { memberId, code }, ctx) => attributeReferral(ctx, memberId, code),
} satisfies MutationResolvers;

export const Referral = {
  member: async ({ memberId }, _, ctx) => (await referredMember(ctx, memberId))!,
  ambassador: async ({ ambassadorId }, _, ctx) => (await referredMember(ctx, ambassadorId))!,
} satisfies ReferralResolvers;
