import { queuesFor } from '@loyalty/platform/database/row-queues';
import type { MutationResolvers, SegmentResolvers } from '#generated/schema';
import { definitionsRow } from '../segments/segments.service.ts';
import { deleteSegment, usesOfSegment } from './segment-uses.service.ts';

export const Mutation = {
  deleteSegment: queuesFor(definitionsRow, (_, { id }, ctx) => deleteSegment(ctx, id)),
} satisfies MutationResolvers;

export const Segment = {
  usedBy: ({ id }, _, ctx) => usesOfSegment(ctx, id),
} satisfies SegmentResolvers;
