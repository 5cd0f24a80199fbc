import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { countAllBaskets, countBaskets } from './count-baskets.service.ts';

/** Due every minute, for all workspaces. */
export const countAllBasketsJob = job(
  'model.count-all-baskets',
  z.object({}),
  (ctx) => countAllBaskets(ctx),
  {
    atOnce: 1,
  },
);

/** For the event of an import, so that its items can be recommended at once. */
export const countImportedBasketsJob = job(
  'model.count-imported-baskets',
  z.object({ batchId: z.uuid() }),
  (ctx) => countBaskets(ctx),
  { atOnce: 1 },
);
