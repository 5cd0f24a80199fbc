import type { QueryResolvers, SegmentEstimateResolvers } from '#generated/schema';
import { getSegment } from '../../segments/segments/segments.service.ts';
import { estimateAudience } from './audiences.service.ts';

export const Query = {
  estimateAudience: (_, { input }, ctx) => estimateAudience(ctx, input),
} satisfies QueryResolvers;

export const SegmentEstimate = {
  segment: ({ segmentId }, _, ctx) => getSegment(ctx, segmentId),
} satisfies SegmentEstimateResolvers;
