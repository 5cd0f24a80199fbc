import type { MutationResolvers, QueryResolvers } from '#generated/schema';
import { findPurge, purgeTestData } from './test-data.service.ts';

export const Query = {
  testDataPurge: (_, { id }, ctx) => findPurge(ctx, id),
} satisfies QueryResolvers;

export const Mutation = {
  purgeTestData: (_parent, _args, ctx) => purgeTestData(ctx),
} satisfies MutationResolvers;
