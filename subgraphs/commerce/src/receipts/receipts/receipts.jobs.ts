import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { forgetReceipts } from './receipts.service.ts';

/** For loyalty's event of a member who was erased. */
export const forgetReceiptsJob = job(
  'commerce.forget-receipts',
  z.object({ memberId: z.uuid() }),
  (ctx, { memberId }) => forgetReceipts(ctx, memberId),
);
