import { connection } from '@loyalty/platform/loading/pages';
import { queuesFor } from '@loyalty/platform/loading/row-queues';
import type { MemberResolvers, MutationResolvers, PointsTransactionResolvers } from '#generated/schema';
import { referredMember } from '../../members/members/members.service.ts';
import { rows } from '../../row-queues.ts';
import { adjustPoints, awardPoints, listPointsTransactions } from './points.service.ts';
import { entryById } from './points.store.ts';
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
} satisfies MemberResolvers;

export const PointsTransaction = {
  __resolveReference: ({ id }, ctx) => ctx.load(entryById, id),
  member: async ({ memberId }, _, ctx) => (await referredMember(ctx, memberId))!,
  availableAt: ({ availableAt }) => availableAt ?? null,
  reversalOf: (entry, _, ctx) => findReversalOf(ctx, entry),
  reversedBy: (entry, _, ctx) => findReversedBy(ctx, entry),
} satisfies PointsTransactionResolvers;
