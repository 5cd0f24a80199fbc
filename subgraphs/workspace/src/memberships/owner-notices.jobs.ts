import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { sendEndpointDisabled } from './owner-notices.service.ts';

/** For engagement's event of a webhook endpoint to which nothing is delivered any more. */
export const sendEndpointDisabledJob = job(
  'workspace.send-endpoint-disabled',
  z.object({ webhookEndpointId: z.uuid(), reason: z.string() }),
  (ctx, { webhookEndpointId, reason }) => sendEndpointDisabled(ctx, webhookEndpointId, reason),
  { expireInSeconds: 60 },
);
