import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { countAllBaskets, countImportedBaskets } from './count-baskets.service.ts';
import { refitWorkspaces } from './refit.service.ts';

/** Scheduled every night, for all workspaces. */
export const refitWorkspacesJob = job('model.refit-workspaces', z.object({}), (ctx) => refitWorkspaces(ctx), {
  atOnce: 1,
});

/** Scheduled every minute, for all workspaces. */
export const countAllBasketsJob = job(
  'model.count-all-baskets',
  z.object({}),
  (ctx) => countAllBaskets(ctx),
  {
    atOnce: 1,
  },
);

/** Runs after an import, so that the items of a small one can be recommended at once. */
export const countImportedBasketsJob = job(
  'model.count-imported-baskets',
  z.object({ batchId: z.uuid() }),
  (ctx) => countImportedBaskets(ctx),
  { atOnce: 1 },
);
