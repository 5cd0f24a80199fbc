import { connection } from '@loyalty/platform/database/pages';
import { queuesFor } from '@loyalty/platform/database/row-queues';
import type {
  MemberResolvers,
  MutationResolvers,
  QueryResolvers,
  SegmentExplanationResolvers,
  SegmentFieldResolvers,
  SegmentFieldsResolvers,
  SegmentMemberResolvers,
  SegmentPreviewResolvers,
  SegmentRecordResolvers,
  SegmentResolvers,
  SubscriptionResolvers,
} from '#generated/schema';
import { listSegmentFields } from '../conditions/condition-fields.service.ts';
import { createSegment, updateSegment } from './edit-segment.service.ts';
import {
  countMembers,
  exportSegment,
  listSegmentMembers,
  readMembers,
  segmentsOfMember,
} from './segment-members.service.ts';
import { explainSegmentMember, previewSegment } from './segment-previews.service.ts';
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
  _segmentMemberIds: async (_, { segmentId, cursorId, isBackward, offset, limit }, ctx) => {
    const request = { cursorId: cursorId ?? null, isBackward, offset, size: limit };
    return (await readMembers(ctx, segmentId, request)).map(({ id }) => id);
  },
  _segmentMemberCount: (_, { segmentId }, ctx) => countMembers(ctx, segmentId),
  segmentExport: (_, { id, after }, ctx) => exportSegment(ctx, id, after ?? null),
  previewSegment: (_, { definition }, ctx) => previewSegment(ctx, definition),
  explainSegmentMember: (_, { segmentId, memberId }, ctx) => explainSegmentMember(ctx, segmentId, memberId),
  segmentFields: (_parent, _args, ctx) => listSegmentFields(ctx),
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
  members: async (segment, args, ctx) => connection(await listSegmentMembers(ctx, segment, args)),
} satisfies SegmentResolvers;

export const SegmentMember = {
  member: ({ id }) => ({ id }),
} satisfies SegmentMemberResolvers;

export const Member = {
  segments: ({ id }, _, ctx) => segmentsOfMember(ctx, id),
} satisfies MemberResolvers;

export const SegmentPreview = {
  sample: ({ sampleIds }) => sampleIds.map((id) => ({ id })),
} satisfies SegmentPreviewResolvers;

export const SegmentExplanation = {
  member: ({ memberId }) => ({ id: memberId }),
} satisfies SegmentExplanationResolvers;

export const SegmentFields = {
  fields: ({ fields }) => [...fields],
  events: ({ events }) => [...events],
  records: ({ records }) => [...records],
} satisfies SegmentFieldsResolvers;

export const SegmentRecord = {
  fields: ({ fields }) => [...fields],
} satisfies SegmentRecordResolvers;

export const SegmentField = {
  operators: ({ operators }) => [...operators],
  options: ({ options }) => options && [...options],
} satisfies SegmentFieldResolvers;
