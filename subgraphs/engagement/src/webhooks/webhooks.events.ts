import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/**
 * An endpoint was disabled, because all deliveries failed for days or it responded that it is gone. `reason`
 * is a sentence for the owners of the workspace.
 */
export const webhookEndpointDisabled = event(
  'webhook.endpoint_disabled',
  z.object({ webhookEndpointId: z.uuid(), reason: z.string() }),
);
