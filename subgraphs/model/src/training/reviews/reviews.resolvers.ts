import type { MutationResolvers, QueryResolvers } from '#generated/schema';
import { isSeparationRequired, setSeparation } from './review-separation.service.ts';
import { approveReport, rejectReport } from './reviews.service.ts';

export const Query = {
  reviewSeparation: (_, __, ctx) => isSeparationRequired(ctx),
} satisfies QueryResolvers;

export const Mutation = {
  approveReport: (_, { input: { versionId: id, ...review } }, ctx) => approveReport(ctx, { id, ...review }),
  rejectReport: (_, { input: { versionId: id, ...review } }, ctx) => rejectReport(ctx, { id, ...review }),
  setReviewSeparation: (_, { isRequired }, ctx) => setSeparation(ctx, isRequired),
} satisfies MutationResolvers;
