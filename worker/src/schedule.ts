import { HOUR_MS } from '@loyalty/platform/clock';
import type { Job } from '@loyalty/platform/jobs';
import { pruneJob } from '@loyalty/platform/prune';

/** The clockwork: each line's job is queued once per period, however many workers run. */
export interface ScheduleEntry {
  readonly job: Job;
  readonly everyMs: number;
}

export const schedule: readonly ScheduleEntry[] = [{ job: pruneJob, everyMs: HOUR_MS }];
