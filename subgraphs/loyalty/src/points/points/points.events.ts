import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

const change = z.object({ memberId: z.uuid(), transactionId: z.uuid(), amount: z.int() });

/** Points were added to a ledger; `amount` in points. */
export const pointsAwarded = event('loyalty.points_awarded', change);

/** An admin corrected a ledger; `amount` in points, signed. */
export const pointsAdjusted = event('loyalty.points_adjusted', change);

/** Points were spent; `amount` in points, negative. */
export const pointsRedeemed = event('loyalty.points_redeemed', change);

/** Points that were earned before were taken back; `amount` in points, zero or negative. */
export const pointsReversed = event('loyalty.points_reversed', change);

/** Points were not spent in time; `amount` in points, negative. */
export const pointsExpired = event('loyalty.points_expired', change);
