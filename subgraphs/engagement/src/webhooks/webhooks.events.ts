import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/**
 * Deliveries to an endpoint ended, because all of them failed for days or it refused for good; `reason` is a
 * sentence for the owners of the workspace.
 */
export const webhookEndpointDisabled = event(
  'webhook.endpoint_disabled',
  z.object({ webhookEndpointId: z.uuid(), reason: z.string() }),
);
