import type { BulkResultPageResolvers, BulkResultResolvers, QueryResolvers } from '#generated/schema';
import { getBulkJob } from '../jobs/bulk-jobs.service.ts';
import { listResults } from './bulk-results.service.ts';

const messages: Readonly<Record<string, string>> = {
  MODEL_SERVICE_UNAVAILABLE: 'The model did not answer in three attempts. Retry the job later.',
  SCORING_FAILED: 'The model could not score the facts of this member. Check its imported facts.',
  WORKER_LOST: 'Two workers were lost while they had these members. Retry the job.',
};

export const Query = {
  bulkJobResults: async (_, { bulkJobId, ...args }, ctx) =>
    listResults(ctx, await getBulkJob(ctx, bulkJobId), args),
} satisfies QueryResolvers;

export const BulkResult = {
  member: ({ memberId }) => ({ id: memberId }),
  error: ({ errorCode: code }) =>
    code ? { code, message: messages[code] ?? 'Something went wrong on our side. Retry the job.' } : null,
} satisfies BulkResultResolvers;

export const BulkResultPage = {
  results: ({ rows }) => [...rows],
} satisfies BulkResultPageResolvers;
