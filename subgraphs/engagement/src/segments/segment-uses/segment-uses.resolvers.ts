import type { MutationResolvers, SegmentResolvers } from '#generated/schema';
import { deleteSegment, usesOfSegment } from './segment-uses.service.ts';

export const Mutation = {
  deleteSegment: (_, { id }, ctx) => deleteSegment(ctx, id),
} satisfies MutationResolvers;

export const Segment = {
  usedBy: ({ id }, _, ctx) => usesOfSegment(ctx, id),
} satisfies Pick<SegmentResolvers, 'usedBy'>;
