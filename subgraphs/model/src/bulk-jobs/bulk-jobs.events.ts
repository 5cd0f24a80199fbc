import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/** A bulk job has ended or was cancelled; a retried one ends again. */
export const bulkJobFinished = event(
  'model.bulk_job_finished',
  z.object({
    bulkJobId: z.uuid(),
    status: z.enum(['COMPLETED', 'COMPLETED_WITH_ERRORS', 'CANCELLED']),
    processed: z.int(),
    succeeded: z.int(),
    unavailable: z.int(),
    failed: z.int(),
  }),
  { changesAll: ['STATE'] },
);

/** Live channel that wakes scanning workers: a job was created or resumed. */
export const BULK_JOBS_CHANNEL = 'bulk-jobs';

/** Live channel that wakes workers: there are new chunks. */
export const BULK_CHUNKS_CHANNEL = 'bulk-chunks';
