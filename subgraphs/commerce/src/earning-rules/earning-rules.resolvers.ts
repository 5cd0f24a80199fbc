import type { EarningRuleResolvers, MutationResolvers, QueryResolvers } from '#generated/schema';
import {
  createEarningRule,
  deleteEarningRule,
  listEarningRules,
  updateEarningRule,
} from './earning-rules.service.ts';
import { earningRuleById } from './earning-rules.store.ts';

export const Query = {
  earningRules: (_parent, _args, ctx) => listEarningRules(ctx),
} satisfies QueryResolvers;

export const Mutation = {
  createEarningRule: (_, { input }, ctx) => createEarningRule(ctx, input),
  updateEarningRule: (_, { id, input }, ctx) => updateEarningRule(ctx, id, input),
  deleteEarningRule: (_, { id }, ctx) => deleteEarningRule(ctx, id),
} satisfies MutationResolvers;

export const EarningRule = {
  __resolveReference: ({ id }, ctx) => ctx.load(earningRuleById, id),
} satisfies EarningRuleResolvers;
