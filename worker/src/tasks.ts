import type { Job } from '@loyalty/platform/jobs';
import { pruneJob } from '@loyalty/platform/prune';

/** Every job that a worker runs. */
export const tasks: readonly Job[] = [pruneJob];
