import { job } from '@loyalty/platform/jobs';
import { z } from 'zod';
import { pruneCalls } from './call-log.service.ts';

/** Daily. */
export const pruneCallLogJob = job('workspace.prune-call-log', z.object({}), (ctx) => pruneCalls(ctx));
