import type { QueryResolvers } from '#generated/schema';
import { memberSignals } from './member-signals.service.ts';

export const Query = {
  _memberSignals: (_, { memberIds }, ctx) => memberSignals(ctx, memberIds),
} satisfies QueryResolvers;
