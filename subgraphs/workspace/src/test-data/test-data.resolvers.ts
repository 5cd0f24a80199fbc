import { userOf } from '@loyalty/platform/base/caller';
import type {
  MutationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
  TestDataPurgeResolvers,
} from '#generated/schema';
import { findUser } from '../accounts/accounts.service.ts';
import {
  erasedRows,
  findPurge,
  purgeTestData,
  type TestDataPurge as TestDataPurgeRow,
  watchPurge,
} from './test-data.service.ts';

export const Query = {
  testDataPurge: (_, { id }, ctx) => findPurge(ctx, id),
} satisfies QueryResolvers;

export const Mutation = {
  purgeTestData: (_parent, _args, ctx) => purgeTestData(ctx),
} satisfies MutationResolvers;

export const Subscription = {
  testDataPurgeProgress: {
    subscribe: (_, { id }, ctx) => watchPurge(ctx, id),
    resolve: (purge: TestDataPurgeRow) => purge,
  },
} satisfies SubscriptionResolvers;

export const TestDataPurge = {
  state: ({ status }) => status,
  processed: (purge) => erasedRows(purge),
  total: (purge) => (purge.status === 'COMPLETED' ? erasedRows(purge) : null),
  failed: () => 0,
  requestedBy: ({ actor }, _, ctx) => {
    const user = userOf(actor);
    return user && findUser(ctx, user.id);
  },
} satisfies TestDataPurgeResolvers;
