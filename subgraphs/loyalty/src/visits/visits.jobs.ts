import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { recordObservedVisit } from './visits.service.ts';

/** Runs after events that show that a member is in a store, such as a coupon that is redeemed there. */
export const recordVisitJob = job(
  'loyalty.record-visit',
  z.object({
    memberId: z.uuid(),
    storeId: z.uuid(),
    source: z.enum(['QR', 'REDEEM']),
    observedAt: z.iso.datetime(),
  }),
  (ctx, visit) => recordObservedVisit(ctx, visit),
);
