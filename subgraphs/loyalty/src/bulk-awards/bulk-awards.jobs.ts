import { job } from '@loyalty/platform/jobs';
import { z } from 'zod';
import { runBulkAward } from './run-bulk-award.service.ts';

export const runBulkAwardJob = job(
  'loyalty.run-bulk-award',
  z.object({ bulkAwardId: z.uuid() }),
  (ctx, { bulkAwardId }) => runBulkAward(ctx, bulkAwardId),
  { isLong: true, retryLimit: 12 },
);
