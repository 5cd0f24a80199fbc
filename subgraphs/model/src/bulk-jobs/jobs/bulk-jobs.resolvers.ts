import { userOf } from '@loyalty/platform/caller/caller';
import { addMs } from '@loyalty/platform/clock';
import type { Context } from '@loyalty/platform/context';
import { connection } from '@loyalty/platform/loading/pages';
import type {
  BulkJobResolvers,
  MutationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
} from '#generated/schema';
import { getWallet } from '../../credits/wallet/wallet.service.ts';
import { type BulkJob as Job, processedOf } from './bulk-job.ts';
import {
  bulkJobOrNull,
  cancelBulkJob,
  createBulkJob,
  listBulkJobs,
  pauseBulkJob,
  resumeBulkJob,
  retryBulkJob,
  watchBulkJob,
} from './bulk-jobs.service.ts';
import { detailsExpireAt } from './result-days.service.ts';

export const Query = {
  bulkJob: (_, { id }, ctx) => bulkJobOrNull(ctx, id),
  bulkJobs: async (_, args, ctx) => connection(await listBulkJobs(ctx, args)),
} satisfies QueryResolvers;

export const Mutation = {
  createBulkJob: (_, { input }, ctx) => createBulkJob(ctx, input),
  pauseBulkJob: (_, { id }, ctx) => pauseBulkJob(ctx, id),
  resumeBulkJob: (_, { id }, ctx) => resumeBulkJob(ctx, id),
  cancelBulkJob: (_, { id }, ctx) => cancelBulkJob(ctx, id),
  retryBulkJob: (_, { id }, ctx) => retryBulkJob(ctx, id),
} satisfies MutationResolvers;

export const Subscription = {
  bulkJobProgress: {
    subscribe: (_, { id }, ctx) => watchBulkJob(ctx, id),
    resolve: (job: Job) => job,
  },
} satisfies SubscriptionResolvers;

export const BulkJob = {
  state: ({ status }) => status,
  processed: processedOf,
  detailsExpireAt: (job) => detailsExpireAt(job),
  estimatedEndAt: estimatedEnd,
  requestedBy: ({ actor }) => userOf(actor),
  wallet: (_, __, ctx) => getWallet(ctx),
} satisfies BulkJobResolvers;

function estimatedEnd(job: Job, _: object, { clock }: Context): Date | null {
  const { status, total, membersPerSecond } = job;
  if (status !== 'RUNNING' || total === null || membersPerSecond <= 0) return null;
  const left = Math.max(total - processedOf(job), 0);
  return addMs(clock.now(), (left / membersPerSecond) * 1_000);
}
