import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { sumDueLiabilities } from './liability.service.ts';

/** Runs every minute, for the workspaces whose sums are out of date. */
export const sumLiabilityJob = job('loyalty.sum-liability', z.object({}), sumDueLiabilities, { atOnce: 1 });
