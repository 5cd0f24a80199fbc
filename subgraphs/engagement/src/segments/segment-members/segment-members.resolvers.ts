import { connection } from '@loyalty/platform/loading/pages';
import type {
  MemberResolvers,
  QueryResolvers,
  SegmentMemberResolvers,
  SegmentResolvers,
} from '#generated/schema';
import {
  countMembers,
  listSegmentMembers,
  readMembers,
  segmentsOfMember,
} from './segment-members.service.ts';

export const Query = {
  _segmentMemberIds: async (_, { segmentId, cursorId, isBackward, offset, limit }, ctx) => {
    const request = { cursorId: cursorId ?? null, isBackward, offset, size: limit };
    return (await readMembers(ctx, segmentId, request)).map(({ id }) => id);
  },
  _segmentMemberCount: (_, { segmentId }, ctx) => countMembers(ctx, segmentId),
} satisfies QueryResolvers;

export const Segment = {
  members: async (segment, args, ctx) => connection(await listSegmentMembers(ctx, segment, args)),
} satisfies Pick<SegmentResolvers, 'members'>;

export const SegmentMember = {
  member: ({ id }) => ({ id }),
} satisfies SegmentMemberResolvers;

export const Member = {
  segments: ({ id }, _, ctx) => segmentsOfMember(ctx, id),
} satisfies MemberResolvers;
