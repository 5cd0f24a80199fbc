import type { MutationResolvers } from '#generated/schema';
import { recordLinkVisits } from './links.service.ts';

export const Mutation = {
  recordLinkVisits: (_, { tokens }, ctx) => recordLinkVisits(ctx, tokens),
} satisfies MutationResolvers;
