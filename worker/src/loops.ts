import { processChunksLoop, scanBulkJobsLoop } from '@loyalty/model-subgraph/bulk-jobs/chunks/chunks.jobs';
import type { Loop } from '@loyalty/platform/outbox/loops';

/** What workers take by themselves, without a queue. */
export const loops: readonly Loop[] = [processChunksLoop, scanBulkJobsLoop];
