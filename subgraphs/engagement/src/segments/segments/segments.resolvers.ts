import { connection } from '@loyalty/platform/loading/pages';
import { queuesFor } from '@loyalty/platform/loading/row-queues';
import type {
  MutationResolvers,
  QueryResolvers,
  SegmentResolvers,
  SubscriptionResolvers,
} from '#generated/schema';
import { createSegment, updateSegment } from './edit-segment.service.ts';
import {
  definitionsRow,
  findSegment,
  isComputing,
  listSegments,
  progressOf,
  recomputeSegment,
  type Segment as SegmentRow,
  segmentsAsOf,
  sizesOf,
  watchSegment,
} from './segments.service.ts';

export const Query = {
  segment: (_, { id }, ctx) => findSegment(ctx, id),
  segments: async (_, args, ctx) => connection(await listSegments(ctx, args)),
} satisfies QueryResolvers;

export const Mutation = {
  createSegment: queuesFor(definitionsRow, (_, { input }, ctx) => createSegment(ctx, input)),
  updateSegment: queuesFor(definitionsRow, (_, { id, input }, ctx) => updateSegment(ctx, id, input)),
  recomputeSegment: (_, { id }, ctx) => recomputeSegment(ctx, id),
} satisfies MutationResolvers;

export const Subscription = {
  segmentChanged: {
    subscribe: (_, { id }, ctx) => watchSegment(ctx, id),
    resolve: (segment: SegmentRow) => segment,
  },
} satisfies SubscriptionResolvers;

export const Segment = {
  __resolveReference: ({ id }, ctx) => findSegment(ctx, id),
  asOf: (_segment, _, ctx) => segmentsAsOf(ctx),
  isComputing: (segment) => isComputing(segment),
  progress: (segment, _, ctx) => progressOf(ctx, segment),
  sizes: (segment, { days }, ctx) => sizesOf(ctx, segment, days ?? 30),
} satisfies SegmentResolvers;
