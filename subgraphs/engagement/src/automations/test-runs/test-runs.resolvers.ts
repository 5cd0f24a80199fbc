import type { AutomationTestRunResolvers, QueryResolvers } from '#generated/schema';
import { testAutomation } from './test-runs.service.ts';

export const Query = {
  testAutomation: (_, { id, memberId }, ctx) => testAutomation(ctx, id, memberId),
} satisfies QueryResolvers;

export const AutomationTestRun = {
  member: ({ memberId }) => ({ id: memberId }),
} satisfies AutomationTestRunResolvers;
