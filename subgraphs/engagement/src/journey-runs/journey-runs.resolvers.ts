import { connection } from '@loyalty/platform/loading/pages';
import type { JourneyResolvers, JourneyRunResolvers, MemberResolvers } from '#generated/schema';
import { findJourney } from '../journeys/journeys.service.ts';
import { listMemberRuns, listStandingRuns } from './journey-runs.service.ts';
import { runById } from './journey-runs.store.ts';

export const Member = {
  journeyRuns: async ({ id }, args, ctx) => connection(await listMemberRuns(ctx, id, args)),
} satisfies MemberResolvers;

export const Journey = {
  runs: async ({ id }, args, ctx) => connection(await listStandingRuns(ctx, id, args)),
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
