import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/**
 * An address was unsubscribed for the first time. The event has its blind index only; it may belong to no
 * member.
 */
export const addressSuppressed = event('engagement.address_suppressed', z.object({ emailIndex: z.string() }));
