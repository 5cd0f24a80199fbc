import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/**
 * An address was unsubscribed for the first time. The event contains only its blind index. The address may
 * have no member.
 */
export const addressSuppressed = event('engagement.address_suppressed', z.object({ emailIndex: z.string() }));
