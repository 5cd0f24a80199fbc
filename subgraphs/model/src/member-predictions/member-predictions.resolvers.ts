import type { MemberResolvers } from '#generated/schema';
import { predictionsOf } from './member-predictions.service.ts';

export const Member = {
  predictions: () => predictionsOf(),
} satisfies MemberResolvers;
