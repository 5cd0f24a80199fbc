import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { scoreAmbassadors } from './scores.service.ts';

/** Due every night; looks at all workspaces that are too large to be scored when they ask. */
export const scoreAmbassadorsJob = job(
  'loyalty.score-ambassadors',
  z.object({}),
  async (ctx) => void (await scoreAmbassadors(ctx)),
  { atOnce: 1 },
);
