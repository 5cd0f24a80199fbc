import type { MemberResolvers } from '#generated/schema';
import { predictionsOf } from './member-predictions.service.ts';

export const Member = {
  predictions: ({ id }, _, ctx) => predictionsOf(ctx, id),
} satisfies MemberResolvers;
