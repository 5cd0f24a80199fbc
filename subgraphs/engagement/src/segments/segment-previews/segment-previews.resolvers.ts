import type { QueryResolvers, SegmentExplanationResolvers, SegmentPreviewResolvers } from '#generated/schema';
import { explainSegmentMember, previewSegment } from './segment-previews.service.ts';

export const Query = {
  previewSegment: (_, { definition }, ctx) => previewSegment(ctx, definition),
  explainSegmentMember: (_, { segmentId, memberId }, ctx) => explainSegmentMember(ctx, segmentId, memberId),
} satisfies QueryResolvers;

export const SegmentPreview = {
  sample: ({ sampleIds }) => sampleIds.map((id) => ({ id })),
} satisfies SegmentPreviewResolvers;

export const SegmentExplanation = {
  member: ({ memberId }) => ({ id: memberId }),
} satisfies SegmentExplanationResolvers;
