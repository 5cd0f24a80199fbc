import { userOf } from '@loyalty/platform/base/caller';
import { addMs } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { connection } from '@loyalty/platform/database/pages';
import type {
  BulkJobResolvers,
  BulkResultPageResolvers,
  BulkResultResolvers,
  MutationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
} from '#generated/schema';
import { getWallet } from '../credits/wallet.service.ts';
import { type BulkJob as Job, processedOf } from './bulk-job.ts';
import {
  bulkJobOrNull,
  cancelBulkJob,
  createBulkJob,
  getBulkJob,
  listBulkJobs,
  pauseBulkJob,
  resumeBulkJob,
  retryBulkJob,
  watchBulkJob,
} from './bulk-jobs.service.ts';
import { detailsExpireAt, listResults } from './bulk-results.service.ts';

export const Query = {
  bulkJob: (_, { id }, ctx) => bulkJobOrNull(ctx, id),
  bulkJobs: async (_, args, ctx) => connection(await listBulkJobs(ctx, args)),
  bulkJobResults: async (_, { bulkJobId, ...args }, ctx) =>
    listResults(ctx, await getBulkJob(ctx, bulkJobId), args),
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

const messages: Readonly<Record<string, string>> = {
  MODEL_SERVICE_UNAVAILABLE: 'The model did not answer in three attempts. Retry the job later.',
  SCORING_FAILED: 'The model could not score the facts of this member. Check its imported facts.',
  WORKER_LOST: 'Two workers were lost while they had these members. Retry the job.',
};

export const BulkResult = {
  member: ({ memberId }) => ({ id: memberId }),
  error: ({ errorCode: code }) =>
    code ? { code, message: messages[code] ?? 'Something went wrong on our side. Retry the job.' } : null,
} satisfies BulkResultResolvers;

export const BulkResultPage = {
  results: ({ rows }) => [...rows],
} satisfies BulkResultPageResolvers;
