import { catalogImported } from '@loyalty/commerce-subgraph/catalog/catalog-import.events';
import { ordersImported } from '@loyalty/commerce-subgraph/orders/order-import.events';
import { orderCreated } from '@loyalty/commerce-subgraph/orders/orders.events';
import { orderRefunded } from '@loyalty/commerce-subgraph/orders/refunds.events';
import { receiptProcessed, receiptSubmitted } from '@loyalty/commerce-subgraph/receipts/receipts.events';
import {
  couponCodesVoided,
  couponPoolLow,
} from '@loyalty/loyalty-subgraph/coupons/coupon-pools/coupon-pools.events';
import {
  couponIssued,
  couponRedeemed,
  couponVoided,
  visitObserved,
} from '@loyalty/loyalty-subgraph/coupons/coupons/coupons.events';
import { captureCreated } from '@loyalty/loyalty-subgraph/joining/captures/captures.events';
import { enrollmentConfirmed } from '@loyalty/loyalty-subgraph/joining/enrollment/enrollment.events';
import { membersImported } from '@loyalty/loyalty-subgraph/joining/member-import/member-import.events';
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
import { bulkJobFinished } from '@loyalty/model-subgraph/bulk-jobs/bulk-jobs.events';
import {
  decisionRecorded,
  memberSignalsChanged,
  outcomeRecorded,
} from '@loyalty/model-subgraph/member-states/member-states.events';
import { reportReady, versionPublished } from '@loyalty/model-subgraph/versions/versions.events';
import type { EventType, EventUses } from '@loyalty/platform/outbox/events';
import { campaignFinished, campaignStarted } from '../campaigns/campaign-events/campaigns.events.ts';
import { journeyStepReached } from '../journeys/actions/journey-actions.events.ts';
import { nearStore, storeDwell } from '../location/location.events.ts';
import { segmentEntered, segmentLeft } from '../segments/memberships/memberships.events.ts';

/** An event of any payload. */
export type DescribedEvent = Pick<EventType<unknown>, 'type' | 'schema'> & {
  readonly uses: EventUses<never>;
};

/**
 * Every event that the product makes something of, beside the reactions of the subgraphs. What it is used for
 * stands with the event. The order is that of the catalog.
 */
export const describedEvents: readonly DescribedEvent[] = [
  memberCreated,
  enrollmentConfirmed,
  captureCreated,
  membersImported,
  memberUpdated,
  memberTagged,
  memberUntagged,
  memberConsentChanged,
  storeVisited,
  campaignStarted,
  campaignFinished,
  nearStore,
  storeDwell,
  recordCreated,
  recordUpdated,
  recordDeleted,
  segmentEntered,
  segmentLeft,
  journeyStepReached,
  reportReady,
  versionPublished,
  pointsAwarded,
  pointsRedeemed,
  pointsAdjusted,
  pointsReversed,
  pointsExpired,
  tierUpgraded,
  tierDowngraded,
  couponIssued,
  couponRedeemed,
  couponPoolLow,
  receiptSubmitted,
  receiptProcessed,
  memberInactive,
  memberUnsubscribed,
  memberRestrictionChanged,
  memberErasureRequested,
  memberErasureCancelled,
  memberErased,
  orderCreated,
  orderRefunded,
  ordersImported,
  catalogImported,
  codeIssued,
  referralEnrolled,
  referralPurchased,
  memberExportRequested,
  decisionRecorded,
  outcomeRecorded,
  visitObserved,
  couponVoided,
  memberSignalsChanged,
  bulkJobFinished,
  tiersChanged,
  couponCodesVoided,
];

/** What each event is used for in one way, by its type; those that are not used so are left out. */
export function usesBy<Use extends keyof EventUses<never>>(
  use: Use,
): Map<string, NonNullable<EventUses<never>[Use]>> {
  const found = describedEvents.map(({ type, uses }) => [type, uses[use]] as const);
  return new Map(
    found.filter((entry): entry is [string, NonNullable<EventUses<never>[Use]>] => entry[1] != null),
  );
}
