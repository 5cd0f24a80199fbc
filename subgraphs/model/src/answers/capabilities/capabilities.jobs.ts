import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { pruneRuns } from '../findings/at-risk-members.service.ts';

/** Due every hour, for all workspaces. */
export const pruneCapabilityRunsJob = job('model.prune-capability-runs', z.object({}), (ctx) =>
  pruneRuns(ctx),
);
