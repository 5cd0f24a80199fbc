import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { scoreAmbassadors } from './ambassador-scores.service.ts';
import { attributeOrder } from './referrals.service.ts';

/**
 * Runs after commerce's event of a new order; orders of guests and of members without an ambassador are
 * ignored.
 */
export const attributeOrderJob = job(
  'loyalty.attribute-order',
  z.object({ orderId: z.uuid(), memberId: z.uuid().nullable() }),
  (ctx, { orderId, memberId }) => attributeOrder(ctx, orderId, memberId),
);

/** Runs every night, for workspaces with too many members to score at query time. */
export const scoreAmbassadorsJob = job(
  'loyalty.score-ambassadors',
  z.object({}),
  async (ctx) => void (await scoreAmbassadors(ctx)),
  { atOnce: 1 },
);
