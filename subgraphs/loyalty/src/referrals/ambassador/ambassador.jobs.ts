import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { scoreAmbassadors } from './scores.service.ts';

/** Runs every night, for workspaces with too many members to score at query time. */
export const scoreAmbassadorsJob = job(
  'loyalty.score-ambassadors',
  z.object({}),
  async (ctx) => void (await scoreAmbassadors(ctx)),
  { atOnce: 1 },
);
