import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { rotateCallLog } from './call-log.service.ts';

/** Hourly, so that a failed run is repeated long before its partition is needed. */
export const pruneCallLogJob = job('workspace.prune-call-log', z.object({}), (ctx) => rotateCallLog(ctx));
