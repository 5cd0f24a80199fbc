import { job } from '@loyalty/platform/jobs';
import { z } from 'zod';
import { runBulkAward } from './run-bulk-award.service.ts';

// A table that was just filled has no statistics for a minute, and statements of a thousand rows may time
// out: the job goes on trying, with growing pauses, for over an hour.
export const runBulkAwardJob = job(
  'loyalty.run-bulk-award',
  z.object({ bulkAwardId: z.uuid() }),
  (ctx, { bulkAwardId }) => runBulkAward(ctx, bulkAwardId),
  { isLong: true, retryLimit: 12 },
);
