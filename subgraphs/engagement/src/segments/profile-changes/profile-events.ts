import { ordersImported } from '@loyalty/commerce-subgraph/orders/order-import/order-import.events';
import { orderCreated } from '@loyalty/commerce-subgraph/orders/orders/orders.events';
import { orderRefunded } from '@loyalty/commerce-subgraph/orders/refunds/refunds.events';
import {
  receiptProcessed,
  receiptSubmitted,
} from '@loyalty/commerce-subgraph/receipts/receipts/receipts.events';
import { couponCodesVoided } from '@loyalty/loyalty-subgraph/coupons/coupon-pools/coupon-pools.events';
import {
  couponIssued,
  couponRedeemed,
  couponVoided,
} from '@loyalty/loyalty-subgraph/coupons/coupons/coupons.events';
import { enrollmentConfirmed } from '@loyalty/loyalty-subgraph/joining/enrollment/enrollment.events';
import { membersImported } from '@loyalty/loyalty-subgraph/joining/member-import/member-import.events';
import { memberConsentChanged } from '@loyalty/loyalty-subgraph/members/consents/consents.events';
import {
  memberErased,
  memberErasureCancelled,
  memberErasureRequested,
  memberInactive,
  memberRestrictionChanged,
  memberUnsubscribed,
} from '@loyalty/loyalty-subgraph/members/member-status/member-status.events';
import { memberCreated, memberUpdated } from '@loyalty/loyalty-subgraph/members/members/members.events';
import { memberTagged, memberUntagged } from '@loyalty/loyalty-subgraph/members/tags/tags.events';
import {
  recordCreated,
  recordDeleted,
  recordUpdated,
} from '@loyalty/loyalty-subgraph/objects/object-records/object-records.events';
import {
  pointsAdjusted,
  pointsAwarded,
  pointsExpired,
  pointsRedeemed,
  pointsReversed,
} from '@loyalty/loyalty-subgraph/points/points/points.events';
import { codeIssued } from '@loyalty/loyalty-subgraph/referrals/ambassador/ambassador.events';
import {
  referralEnrolled,
  referralPurchased,
} from '@loyalty/loyalty-subgraph/referrals/referrals/referrals.events';
import {
  tierDowngraded,
  tiersChanged,
  tierUpgraded,
} from '@loyalty/loyalty-subgraph/tiers/tiers/tiers.events';
import { storeVisited } from '@loyalty/loyalty-subgraph/visits/visits/visits.events';
import { memberSignalsChanged } from '@loyalty/model-subgraph/answers/member-signals/member-signals.events';
import { bulkJobFinished } from '@loyalty/model-subgraph/bulk-jobs/jobs/bulk-jobs.events';
import type { EventType } from '@loyalty/platform/outbox/events';
import { nearStore, storeDwell } from '../../location/location.events.ts';
import type { Aspect } from '../conditions/condition.ts';

/** What of a profile may have changed; `ALL`: everything. */
export type ProfileAspect = Aspect | 'ALL';

const map = (...events: readonly [Pick<EventType<unknown>, 'type'>, ...ProfileAspect[]][]) =>
  new Map(events.map(([{ type }, ...aspects]) => [type, aspects as readonly ProfileAspect[]]));

/** Events that name a member, by `memberId` or `memberIds`, and what they may change. */
export const memberEvents: ReadonlyMap<string, readonly ProfileAspect[]> = map(
  [memberCreated, 'ALL'],
  [memberErased, 'ALL'],
  // What the model knows is hidden, or comes back.
  [memberRestrictionChanged, 'ALL'],
  [memberErasureRequested, 'ALL'],
  [memberErasureCancelled, 'ALL'],
  // Coupons of an address that somebody left belong to the member who has that address now.
  [memberUpdated, 'MEMBER', 'CUSTOM', 'TIER', 'COUPONS'],
  [memberInactive, 'MEMBER'],
  [memberUnsubscribed, 'MEMBER', 'CONSENTS'],
  [memberConsentChanged, 'MEMBER', 'CONSENTS'],
  [enrollmentConfirmed, 'MEMBER', 'CONSENTS'],
  [memberTagged, 'TAGS'],
  [memberUntagged, 'TAGS'],
  // Points say when a tier of a rolling period is lost; earning and spending are activities.
  [pointsAwarded, 'POINTS', 'TIER', 'MEMBER'],
  [pointsRedeemed, 'POINTS', 'MEMBER'],
  [pointsAdjusted, 'POINTS', 'TIER', 'MEMBER'],
  [pointsReversed, 'POINTS', 'TIER', 'MEMBER'],
  [pointsExpired, 'POINTS'],
  [tierUpgraded, 'TIER'],
  [tierDowngraded, 'TIER'],
  [couponIssued, 'COUPONS', 'MEMBER'],
  [couponRedeemed, 'COUPONS', 'MEMBER'],
  [couponVoided, 'COUPONS'],
  [storeVisited, 'VISITS', 'MEMBER'],
  [receiptSubmitted, 'MEMBER'],
  [receiptProcessed, 'MEMBER'],
  [orderCreated, 'ORDERS', 'MEMBER'],
  [orderRefunded, 'ORDERS', 'MEMBER'],
  [memberSignalsChanged, 'STATE'],
);

/**
 * Events of the catalog that name a member and change nothing that segments read. Those that come of segments
 * are given by name: their slices read profiles.
 */
export const changesNothing: ReadonlySet<string> = new Set([
  ...[codeIssued, referralEnrolled, referralPurchased, nearStore, storeDwell].map(({ type }) => type),
  'segment.entered',
  'segment.left',
  'journey.step_reached',
]);

/** Events of records, which may name members. */
export const recordEvents: ReadonlySet<string> = new Set(
  [recordCreated, recordUpdated, recordDeleted].map(({ type }) => type),
);

/** Events that may change everybody: a rebuild reads these aspects of all members anew. */
export const rebuildEvents: ReadonlyMap<string, readonly ProfileAspect[]> = map(
  [membersImported, 'MEMBER', 'CUSTOM', 'TAGS', 'CONSENTS', 'TIER', 'POINTS'],
  [ordersImported, 'ORDERS', 'MEMBER'],
  [bulkJobFinished, 'STATE'],
  [tiersChanged, 'TIER'],
  [couponCodesVoided, 'COUPONS'],
);

/** Those of them that are about what live and test share. */
export const sharedEvents: ReadonlySet<string> = new Set([tiersChanged.type, couponCodesVoided.type]);
