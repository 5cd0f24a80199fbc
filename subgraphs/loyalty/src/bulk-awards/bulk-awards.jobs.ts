import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { failBulkAward } from './bulk-awards.service.ts';
import { runBulkAward } from './run-bulk-award.service.ts';

export const runBulkAwardJob = job(
  'loyalty.run-bulk-award',
  z.object({ bulkAwardId: z.uuid(), members: z.int().nonnegative().optional() }),
  (ctx, { bulkAwardId }) => runBulkAward(ctx, bulkAwardId),
  {
    isLong: true,
    retryLimit: 12,
    size: ({ members }) => members ?? null,
    onExhausted: (ctx, { bulkAwardId }, failure) => failBulkAward(ctx, bulkAwardId, failure),
  },
);
