import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { forgetRefundReasons } from './refunds.service.ts';

/** For loyalty's event of a member who was erased. */
export const forgetRefundReasonsJob = job(
  'commerce.forget-refund-reasons',
  z.object({ memberId: z.uuid() }),
  (ctx, { memberId }) => forgetRefundReasons(ctx, memberId),
);
