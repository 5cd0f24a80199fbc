import type { EarningLineResolvers, QueryResolvers } from '#generated/schema';
import { getEarningRule } from '../../earning-rules/earning-rules.service.ts';
import { previewEarning } from './earning-preview.service.ts';

export const Query = {
  earningPreview: (_, { input }, ctx) => previewEarning(ctx, input),
} satisfies QueryResolvers;

export const EarningLine = {
  rule: ({ ruleId }, _, ctx) => getEarningRule(ctx, ruleId),
} satisfies EarningLineResolvers;
