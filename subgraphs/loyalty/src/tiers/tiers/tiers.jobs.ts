import { type Mode, systemCaller } from '@loyalty/platform/caller/caller';
import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { reevaluateTiers } from './tiers.service.ts';

const modes: readonly Mode[] = ['LIVE', 'TEST'];

/** Tiers are shared by live and test, so both are looked through, whichever the change came from. */
export const reevaluateTiersJob = job(
  'loyalty.reevaluate-tiers',
  z.object({}),
  async (ctx) => {
    const { workspaceId } = ctx.scope;
    for (const mode of modes)
      await reevaluateTiers(ctx.as(systemCaller('reevaluate-tiers', { workspaceId, mode })));
  },
  { expireInSeconds: 3_600 },
);
