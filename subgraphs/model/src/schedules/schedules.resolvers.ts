import { connection } from '@loyalty/platform/database/pages';
import type {
  MutationResolvers,
  QueryResolvers,
  ScheduleLogEntryResolvers,
  TrainingScheduleResolvers,
} from '#generated/schema';
import type { TrainingTaskName } from '../versions/model-version.ts';
import { loadVersion } from '../versions/versions.service.ts';
import { appendSamples } from './schedule-samples.service.ts';
import {
  checkSchedule,
  createSchedule,
  deleteTrainingSchedule,
  listSchedules,
  newSamplesOf,
  pauseSchedule,
  resumeSchedule,
  scheduleOrNull,
  updateSchedule,
} from './schedules.service.ts';
import { logBySchedule } from './schedules.store.ts';

export const Query = {
  trainingSchedule: (_, { id }, ctx) => scheduleOrNull(ctx, id),
  trainingSchedules: async (_, args, ctx) => connection(await listSchedules(ctx, args)),
  checkTrainingSchedule: (_, { id }, ctx) => checkSchedule(ctx, id),
} satisfies QueryResolvers;

export const Mutation = {
  createTrainingSchedule: (_, { input }, ctx) => createSchedule(ctx, input),
  updateTrainingSchedule: (_, { id, input }, ctx) => updateSchedule(ctx, id, input),
  pauseTrainingSchedule: (_, { id }, ctx) => pauseSchedule(ctx, id),
  resumeTrainingSchedule: (_, { id }, ctx) => resumeSchedule(ctx, id),
  deleteTrainingSchedule: (_, { id }, ctx) => deleteTrainingSchedule(ctx, id),
  appendTrainingSamples: (_, { input: { scheduleId, ...input } }, ctx) =>
    appendSamples(ctx, scheduleId, input),
} satisfies MutationResolvers;

export const TrainingSchedule = {
  base: ({ baseId }, _, ctx) => loadVersion(ctx, baseId),
  task: async ({ baseId }, _, ctx) =>
    ((await loadVersion(ctx, baseId))?.subject ?? null) as TrainingTaskName | null,
  newSamples: ({ id }, _, ctx) => newSamplesOf(ctx, id),
  lastVersion: ({ lastVersionId }, _, ctx) => (lastVersionId ? loadVersion(ctx, lastVersionId) : null),
  log: async ({ id }, _, ctx) => (await ctx.load(logBySchedule, id)) ?? [],
} satisfies TrainingScheduleResolvers;

export const ScheduleLogEntry = {
  at: ({ createdAt }) => createdAt,
  event: ({ type }) => type,
} satisfies ScheduleLogEntryResolvers;
