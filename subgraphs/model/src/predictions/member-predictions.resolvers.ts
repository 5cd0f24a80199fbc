import type { MemberPredictionsResolvers, MemberResolvers } from '#generated/schema';
import { predictionsOf } from './member-predictions.service.ts';
import { emailClickSentence, nextOrderSentence } from './prediction-sentences.ts';

export const Member = {
  predictions: ({ id }, _, ctx) => predictionsOf(ctx, id),
} satisfies MemberResolvers;

export const MemberPredictions = {
  nextOrderExplanation: nextOrderSentence,
  emailClickExplanation: emailClickSentence,
} satisfies MemberPredictionsResolvers;
