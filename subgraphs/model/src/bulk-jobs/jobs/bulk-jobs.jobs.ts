import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { resumeFundedJobs } from './funding.service.ts';
import { dropExpiredResults } from './result-days.service.ts';

/** Due every minute; serves all workspaces at once. */
export const resumeFundedJobsJob = job('model.resume-funded-bulk-jobs', z.object({}), resumeFundedJobs);

/** Due every hour; serves all workspaces at once. */
export const dropBulkResultsJob = job('model.drop-bulk-results', z.object({}), dropExpiredResults);
