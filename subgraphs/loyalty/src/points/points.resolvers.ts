import { connection } from '@loyalty/platform/database/pages';
import { queuesFor } from '@loyalty/platform/database/row-queues';
import type {
  MemberResolvers,
  MutationResolvers,
  PointsLiabilityResolvers,
  PointsTransactionResolvers,
  QueryResolvers,
  TierLiabilityResolvers,
} from '#generated/schema';
import { referredMember } from '../members/members.service.ts';
import { rows } from '../row-queues.ts';
import { findTier } from '../tiers/tiers.service.ts';
import {
  byExpiryMonth,
  byTier,
  issuedPointsRate,
  latestLiability,
  liabilityDays,
  neverExpiring,
} from './liability.service.ts';
import { getPendingPoints, listExpiringPoints } from './point-lots.service.ts';
import { adjustPoints, awardPoints, listPointsTransactions, summarizePoints } from './points.service.ts';
import { entryById } from './points.store.ts';
import { programStatistics } from './program-statistics.service.ts';
import { findReversalOf, findReversedBy, reversePoints } from './reversals.service.ts';

export const Mutation = {
  awardPoints: queuesFor(rows.ofMember, (_, { memberId, input }, ctx) => awardPoints(ctx, memberId, input)),
  adjustPoints: queuesFor(rows.ofMember, (_, { memberId, amount, reason }, ctx) =>
    adjustPoints(ctx, memberId, amount, reason),
  ),
  reversePoints: (_, { transactionId, reason }, ctx) => reversePoints(ctx, transactionId, reason),
} satisfies MutationResolvers;

export const Member = {
  pointsTransactions: async (member, args, ctx) =>
    connection(await listPointsTransactions(ctx, member, args)),
  pointsPending: ({ id }, _, ctx) => getPendingPoints(ctx, id),
  pointsExpiring: ({ id }, { withinDays }, ctx) => listExpiringPoints(ctx, id, withinDays ?? 30),
  pointsSummary: (member, _, ctx) => summarizePoints(ctx, member),
} satisfies MemberResolvers;

export const PointsTransaction = {
  __resolveReference: ({ id }, ctx) => ctx.load(entryById, id),
  member: async ({ memberId }, _, ctx) => (await referredMember(ctx, memberId))!,
  availableAt: ({ availableAt }) => availableAt ?? null,
  reversalOf: (entry, _, ctx) => findReversalOf(ctx, entry),
  reversedBy: (entry, _, ctx) => findReversedBy(ctx, entry),
} satisfies PointsTransactionResolvers;

export const Query = {
  pointsLiability: (_parent, _args, ctx) => latestLiability(ctx),
  programStatistics: async (_, args, ctx) => ({ series: await programStatistics(ctx, args) }),
} satisfies QueryResolvers;

export const PointsLiability = {
  neverExpiring: (liability) => neverExpiring(liability),
  byExpiryMonth: (liability) => byExpiryMonth(liability),
  byTier: (liability) => byTier(liability),
  redemptionRate: (liability, _args, ctx) => issuedPointsRate(ctx, liability, 'spent'),
  expiryRate: (liability, _args, ctx) => issuedPointsRate(ctx, liability, 'expired'),
  days: (_parent, args, ctx) => liabilityDays(ctx, args),
} satisfies PointsLiabilityResolvers;

export const TierLiability = {
  tier: ({ tierId }, _args, ctx) => (tierId ? findTier(ctx, tierId) : null),
} satisfies TierLiabilityResolvers;
