import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** The emergency stop ended, and it had held many messages. */
export const sendingReleased = event('engagement.sending_released', z.object({}));
