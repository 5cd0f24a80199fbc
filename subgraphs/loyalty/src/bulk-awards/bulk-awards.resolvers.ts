import { userOf } from '@loyalty/platform/base/caller';
import { connection } from '@loyalty/platform/database/pages';
import type {
  BulkAwardResolvers,
  MutationResolvers,
  PointsTransactionResolvers,
  QueryResolvers,
  SubscriptionResolvers,
} from '#generated/schema';
import {
  cancelBulkAward,
  findBulkAward,
  listBulkAwards,
  previewBulkAward,
  retryBulkAward,
  startBulkAward,
  watchBulkAward,
} from './bulk-awards.service.ts';
import type { BulkAward as BulkAwardRow } from './bulk-awards.store.ts';
import { sourceOf } from './points-source.service.ts';

export const Query = {
  bulkAward: (_, { id }, ctx) => findBulkAward(ctx, id),
  previewBulkAward: (_, { input }, ctx) => previewBulkAward(ctx, input),
  bulkAwards: async (_, args, ctx) => connection(await listBulkAwards(ctx, args)),
} satisfies QueryResolvers;

export const Mutation = {
  startBulkAward: (_, { input }, ctx) => startBulkAward(ctx, input),
  cancelBulkAward: (_, { id }, ctx) => cancelBulkAward(ctx, id),
  retryBulkAward: (_, { id }, ctx) => retryBulkAward(ctx, id),
} satisfies MutationResolvers;

export const Subscription = {
  bulkAwardProgress: {
    subscribe: (_, { id }, ctx) => watchBulkAward(ctx, id),
    resolve: (award: BulkAwardRow) => award,
  },
} satisfies SubscriptionResolvers;

export const BulkAward = {
  state: ({ status, failed }) => (status === 'COMPLETED' && failed > 0 ? 'COMPLETED_WITH_ERRORS' : status),
  requestedBy: ({ actor }) => userOf(actor),
  __resolveReference: ({ id }, ctx) => findBulkAward(ctx, id),
} satisfies BulkAwardResolvers;

export const PointsTransaction = {
  source: ({ source }, _, ctx) => sourceOf(ctx, source),
} satisfies PointsTransactionResolvers;
