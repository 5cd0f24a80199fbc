import type {
  AlignmentNoticeResolvers,
  AlignmentProposalScheduleResolvers,
  ModelVersionResolvers,
  MutationResolvers,
  QueryResolvers,
} from '#generated/schema';
import { loadVersion } from '../versions/versions.service.ts';
import { listProposalSchedules, updateProposalSchedule } from './proposal-schedules.service.ts';
import { listNotices, proposeAlignment } from './proposals.service.ts';
import { checkOf } from './staleness.service.ts';

export const Query = {
  alignmentProposalSchedules: (_, __, ctx) => listProposalSchedules(ctx),
  alignmentNotices: (_, __, ctx) => listNotices(ctx),
} satisfies QueryResolvers;

export const Mutation = {
  proposeAlignment: (_, request, ctx) => proposeAlignment(ctx, request),
  updateAlignmentProposalSchedule: (_, { input }, ctx) => updateProposalSchedule(ctx, input),
} satisfies MutationResolvers;

export const AlignmentProposalSchedule = {
  isEnabled: ({ nextRunAt }) => nextRunAt !== null,
  lastVersion: ({ lastVersionId }, _, ctx) => (lastVersionId ? loadVersion(ctx, lastVersionId) : null),
} satisfies AlignmentProposalScheduleResolvers;

export const AlignmentNotice = {
  version: async ({ versionId }, _, ctx) => (await loadVersion(ctx, versionId))!,
} satisfies AlignmentNoticeResolvers;

export const ModelVersion = {
  check: ({ id }, _, ctx) => checkOf(ctx, id),
} satisfies ModelVersionResolvers;
