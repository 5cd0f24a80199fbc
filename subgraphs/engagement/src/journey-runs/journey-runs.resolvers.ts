import { connection } from '@loyalty/platform/database/pages';
import type {
  JourneyResolvers,
  JourneyRunResolvers,
  MemberResolvers,
  MutationResolvers,
} from '#generated/schema';
import { findJourney } from '../journeys/journeys.service.ts';
import { listCurrentRuns, listMemberRuns } from './journey-runs.service.ts';
import { runById } from './journey-runs.store.ts';
import {
  endJourney,
  launchJourney,
  moveJourneyMembers,
  pauseJourney,
  resumeJourney,
} from './journey-status.service.ts';

export const Mutation = {
  launchJourney: (_, { id }, ctx) => launchJourney(ctx, id),
  pauseJourney: (_, { id }, ctx) => pauseJourney(ctx, id),
  resumeJourney: (_, { id }, ctx) => resumeJourney(ctx, id),
  endJourney: (_, { id }, ctx) => endJourney(ctx, id),
  moveJourneyMembers: (_, { id, ...move }, ctx) => moveJourneyMembers(ctx, id, move),
} satisfies MutationResolvers;

export const Member = {
  journeyRuns: async ({ id }, args, ctx) => connection(await listMemberRuns(ctx, id, args)),
} satisfies MemberResolvers;

export const Journey = {
  runs: async ({ id }, args, ctx) => connection(await listCurrentRuns(ctx, id, args)),
} satisfies JourneyResolvers;

export const JourneyRun = {
  __resolveReference: ({ id }, ctx) => ctx.load(runById, id),
  async journey({ journeyId }, _, ctx) {
    const journey = await findJourney(ctx, journeyId);
    return journey?.kind === 'JOURNEY' ? journey : null;
  },
  member: ({ memberId }) => ({ id: memberId }),
  nodeId: ({ nodeId }) => nodeId || null,
} satisfies JourneyRunResolvers;
