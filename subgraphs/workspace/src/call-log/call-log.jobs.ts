import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { rotateCallLog } from './call-log.service.ts';

/** Hourly, so that a run that fails is made up long before it matters. */
export const pruneCallLogJob = job('workspace.prune-call-log', z.object({}), (ctx) => rotateCallLog(ctx));
