import { event } from '@loyalty/platform/events';
import { z } from 'zod';

const change = z.object({ memberId: z.uuid(), transactionId: z.uuid(), amount: z.int() });

/** Points were added to a ledger; `amount` in points. */
export const pointsAwarded = event('loyalty.points_awarded', change);

/** An admin corrected a ledger; `amount` in points, signed. */
export const pointsAdjusted = event('loyalty.points_adjusted', change);
