import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { forgetMessages } from './messages.service.ts';

/** For loyalty's event of a member who was erased. */
export const forgetMessagesJob = job(
  'engagement.forget-messages',
  z.object({ memberId: z.uuid() }),
  (ctx, { memberId }) => forgetMessages(ctx, memberId),
);
