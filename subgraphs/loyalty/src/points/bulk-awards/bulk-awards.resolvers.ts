import { connection } from '@loyalty/platform/loading/pages';
import type { BulkAwardResolvers, MutationResolvers, QueryResolvers } from '#generated/schema';
import {
  cancelBulkAward,
  findBulkAward,
  listBulkAwards,
  retryBulkAward,
  startBulkAward,
} from './bulk-awards.service.ts';

export const Query = {
  bulkAward: (_, { id }, ctx) => findBulkAward(ctx, id),
  bulkAwards: async (_, args, ctx) => connection(await listBulkAwards(ctx, args)),
} satisfies QueryResolvers;

export const Mutation = {
  startBulkAward: (_, { input }, ctx) => startBulkAward(ctx, input),
  cancelBulkAward: (_, { id }, ctx) => cancelBulkAward(ctx, id),
  retryBulkAward: (_, { id }, ctx) => retryBulkAward(ctx, id),
} satisfies MutationResolvers;

export const BulkAward = {
  __resolveReference: ({ id }, ctx) => findBulkAward(ctx, id),
} satisfies BulkAwardResolvers;
