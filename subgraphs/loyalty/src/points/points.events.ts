import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

const change = z.object({ memberId: z.uuid(), transactionId: z.uuid(), amount: z.int() });

/** Points were added to a ledger; `amount` in points. */
export const pointsAwarded = event('loyalty.points_awarded', change, {
  webhook: {
    stage: 'loyalty',
    resource: 'transactionId',
    label: 'Points awarded',
    description: 'Points were added to a member.',
  },
  activity: 'POINTS_AWARDED',
  // Points determine when a tier of a rolling period is lost; earning and spending are activities.
  changes: ['POINTS', 'TIER', 'MEMBER'],
  trigger: { kind: 'points_awarded', label: 'Points were awarded' },
});

/** Staff corrected a ledger; `amount` in points, signed. */
export const pointsAdjusted = event('loyalty.points_adjusted', change, {
  webhook: {
    stage: 'loyalty',
    resource: 'transactionId',
    label: 'Points adjusted',
    description: 'An admin corrected the points of a member.',
  },
  activity: 'POINTS_ADJUSTED',
  changes: ['POINTS', 'TIER', 'MEMBER'],
});

/** Points were spent; `amount` in points, negative. */
export const pointsRedeemed = event('loyalty.points_redeemed', change, {
  webhook: {
    stage: 'loyalty',
    resource: 'transactionId',
    label: 'Points redeemed',
    description: 'A member spent points.',
  },
  activity: 'POINTS_REDEEMED',
  changes: ['POINTS', 'MEMBER'],
  trigger: { kind: 'points_redeemed', label: 'Points were spent' },
});

/** Earned points were taken back; `amount` in points, zero or negative. */
export const pointsReversed = event('loyalty.points_reversed', change, {
  webhook: {
    stage: 'loyalty',
    resource: 'transactionId',
    label: 'Points reversed',
    description: 'Points that a member had earned were taken back.',
  },
  activity: 'POINTS_REVERSED',
  changes: ['POINTS', 'TIER', 'MEMBER'],
});

/** Points expired unspent; `amount` in points, negative. */
export const pointsExpired = event('loyalty.points_expired', change, {
  webhook: {
    stage: 'loyalty',
    resource: 'transactionId',
    label: 'Points expired',
    description: 'Points of a member were not spent in time.',
  },
  activity: 'POINTS_EXPIRED',
  changes: ['POINTS'],
  trigger: { kind: 'points_expired', label: 'Points expired' },
});

/** Points of an order will never be booked: the member was erased, or its erasure was pending. */
export const orderEarningDeclined = event('loyalty.order_earning_declined', z.object({ orderId: z.uuid() }));
