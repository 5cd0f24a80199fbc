import { event } from '@loyalty/platform/events';
import { z } from 'zod';

/** An address was unsubscribed for the first time; it is told by its blind index, and may belong to no member. */
export const memberUnsubscribed = event('member.unsubscribed', z.object({ emailIndex: z.string() }));
