import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** The wallet did not cover the next month of paid service, which is paused now. */
export const servicePaused = event('wallet.service_paused', z.object({ workspaceId: z.uuid() }));
