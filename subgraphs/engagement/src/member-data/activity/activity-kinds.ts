import { orderCreated } from '@loyalty/commerce-subgraph/orders/orders/orders.events';
import { orderRefunded } from '@loyalty/commerce-subgraph/orders/refunds/refunds.events';
import {
  receiptProcessed,
  receiptSubmitted,
} from '@loyalty/commerce-subgraph/receipts/receipts/receipts.events';
import {
  couponIssued,
  couponRedeemed,
  couponVoided,
  visitObserved,
} from '@loyalty/loyalty-subgraph/coupons/coupons/coupons.events';
import { enrollmentConfirmed } from '@loyalty/loyalty-subgraph/joining/enrollment/enrollment.events';
import { memberConsentChanged } from '@loyalty/loyalty-subgraph/members/consents/consents.events';
import { memberExportRequested } from '@loyalty/loyalty-subgraph/members/member-exports/member-exports.events';
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
import { tierDowngraded, tierUpgraded } from '@loyalty/loyalty-subgraph/tiers/tiers/tiers.events';
import { storeVisited } from '@loyalty/loyalty-subgraph/visits/visits/visits.events';
import {
  decisionRecorded,
  outcomeRecorded,
} from '@loyalty/model-subgraph/answers/decisions/decisions.events';
import type { EventType } from '@loyalty/platform/outbox/events';
import type { ActivityKind } from '#generated/schema';
import { journeyStepReached } from '../../journeys/actions/journey-actions.events.ts';
import { nearStore, storeDwell } from '../../location/location.events.ts';
import { segmentEntered, segmentLeft } from '../../segments/memberships/memberships.events.ts';

const kindOf = ({ type }: Pick<EventType<unknown>, 'type'>, kind: ActivityKind) => [type, kind] as const;

/** Every event that is shown as an activity: its type, and its kind. */
export const activityKinds: ReadonlyMap<string, ActivityKind> = new Map([
  kindOf(memberCreated, 'MEMBER_CREATED'),
  kindOf(memberUpdated, 'MEMBER_UPDATED'),
  kindOf(memberInactive, 'MEMBER_INACTIVE'),
  kindOf(memberUnsubscribed, 'MEMBER_UNSUBSCRIBED'),
  kindOf(memberErasureRequested, 'ERASURE_REQUESTED'),
  kindOf(memberErasureCancelled, 'ERASURE_CANCELLED'),
  kindOf(memberErased, 'MEMBER_ERASED'),
  kindOf(memberTagged, 'MEMBER_TAGGED'),
  kindOf(memberUntagged, 'MEMBER_UNTAGGED'),
  kindOf(memberConsentChanged, 'CONSENT_CHANGED'),
  kindOf(memberRestrictionChanged, 'RESTRICTION_CHANGED'),
  kindOf(memberExportRequested, 'EXPORT_REQUESTED'),
  kindOf(pointsAwarded, 'POINTS_AWARDED'),
  kindOf(pointsAdjusted, 'POINTS_ADJUSTED'),
  kindOf(pointsRedeemed, 'POINTS_REDEEMED'),
  kindOf(pointsReversed, 'POINTS_REVERSED'),
  kindOf(pointsExpired, 'POINTS_EXPIRED'),
  kindOf(tierUpgraded, 'TIER_UPGRADED'),
  kindOf(tierDowngraded, 'TIER_DOWNGRADED'),
  kindOf(storeVisited, 'STORE_VISITED'),
  kindOf(nearStore, 'STORE_NEARBY'),
  kindOf(storeDwell, 'STORE_DWELL'),
  kindOf(enrollmentConfirmed, 'ENROLLMENT_CONFIRMED'),
  kindOf(codeIssued, 'AMBASSADOR_CODE_ISSUED'),
  kindOf(referralEnrolled, 'REFERRAL_ENROLLED'),
  kindOf(referralPurchased, 'REFERRAL_PURCHASED'),
  kindOf(couponIssued, 'COUPON_ISSUED'),
  kindOf(couponRedeemed, 'COUPON_REDEEMED'),
  kindOf(orderCreated, 'ORDER_CREATED'),
  kindOf(orderRefunded, 'ORDER_REFUNDED'),
  kindOf(receiptSubmitted, 'RECEIPT_SUBMITTED'),
  kindOf(receiptProcessed, 'RECEIPT_PROCESSED'),
  kindOf(segmentEntered, 'SEGMENT_ENTERED'),
  kindOf(segmentLeft, 'SEGMENT_LEFT'),
  kindOf(journeyStepReached, 'JOURNEY_STEP_REACHED'),
  kindOf(decisionRecorded, 'DECISION_RECORDED'),
  kindOf(outcomeRecorded, 'OUTCOME_RECORDED'),
]);

/**
 * Events that name a member and are no activity: one only starts a job, which publishes the activity; the
 * other is only for what is kept of the member.
 */
export const notActivity: ReadonlySet<string> = new Set([visitObserved.type, couponVoided.type]);

/** The types of the events of these kinds; null for all kinds. */
export const typesOf = (kinds: readonly ActivityKind[] | null | undefined): string[] | null =>
  kinds ? [...activityKinds].flatMap(([type, kind]) => (kinds.includes(kind) ? [type] : [])) : null;
