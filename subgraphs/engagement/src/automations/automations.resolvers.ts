import { userOf } from '@loyalty/platform/base/caller';
import { connection } from '@loyalty/platform/database/pages';
import type {
  AutomationResolvers,
  AutomationTestRunResolvers,
  MutationResolvers,
  QueryResolvers,
} from '#generated/schema';
import { automationTriggers } from './automation-trigger.ts';
import {
  activateAutomation,
  createAutomation,
  deleteAutomation,
  enteredOf,
  findAutomation,
  listAutomations,
  pauseAutomation,
  resumeAutomation,
  updateAutomation,
} from './automations.service.ts';
import { testAutomation } from './test-runs.service.ts';

export const Query = {
  automations: async (_, args, ctx) => connection(await listAutomations(ctx, args)),
  automation: (_, { id }, ctx) => findAutomation(ctx, id),
  automationTriggers: () => [...automationTriggers],
  testAutomation: (_, { id, memberId }, ctx) => testAutomation(ctx, id, memberId),
} satisfies QueryResolvers;

export const Mutation = {
  createAutomation: (_, { input }, ctx) => createAutomation(ctx, input),
  updateAutomation: (_, { id, input }, ctx) => updateAutomation(ctx, id, input),
  activateAutomation: (_, { id }, ctx) => activateAutomation(ctx, id),
  pauseAutomation: (_, { id }, ctx) => pauseAutomation(ctx, id),
  resumeAutomation: (_, { id }, ctx) => resumeAutomation(ctx, id),
  deleteAutomation: (_, { id }, ctx) => deleteAutomation(ctx, id),
} satisfies MutationResolvers;

export const Automation = {
  __resolveReference: ({ id }, ctx) => findAutomation(ctx, id),
  trigger: ({ trigger }) => ({ ...trigger }),
  condition: ({ condition }) => condition && { ...condition },
  actions: ({ actions }) => actions.map((action) => ({ ...action })),
  entered: (automation, _, ctx) => enteredOf(ctx, automation),
  createdBy: ({ actor }) => userOf(actor),
} satisfies AutomationResolvers;

export const AutomationTestRun = {
  member: ({ memberId }) => ({ id: memberId }),
} satisfies AutomationTestRunResolvers;
