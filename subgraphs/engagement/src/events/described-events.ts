import { catalogImported } from '@loyalty/commerce-subgraph/catalog/catalog-import.events';
import { ordersImported } from '@loyalty/commerce-subgraph/orders/order-import.events';
import { orderCreated } from '@loyalty/commerce-subgraph/orders/orders.events';
import { orderRefunded } from '@loyalty/commerce-subgraph/orders/refunds.events';
import { receiptProcessed, receiptSubmitted } from '@loyalty/commerce-subgraph/receipts/receipts.events';
import { captureCreated } from '@loyalty/loyalty-subgraph/captures/captures.events';
import { memberConsentChanged } from '@loyalty/loyalty-subgraph/consents/consents.events';
import {
  couponCodesVoided,
  couponIssued,
  couponPoolLow,
  couponRedeemed,
  couponVoided,
  visitObserved,
} from '@loyalty/loyalty-subgraph/coupons/coupons.events';
import { enrollmentConfirmed } from '@loyalty/loyalty-subgraph/enrollment/enrollment.events';
import { memberExportRequested } from '@loyalty/loyalty-subgraph/exports/exports.events';
import { membersImported } from '@loyalty/loyalty-subgraph/imports/member-import.events';
import {
  memberErased,
  memberErasureCancelled,
  memberErasureRequested,
  memberInactive,
  memberRestrictionChanged,
  memberUnsubscribed,
} from '@loyalty/loyalty-subgraph/member-status/member-status.events';
import { memberCreated, memberUpdated } from '@loyalty/loyalty-subgraph/members/members.events';
import { memberTagged, memberUntagged } from '@loyalty/loyalty-subgraph/members/tags.events';
import {
  recordCreated,
  recordDeleted,
  recordUpdated,
} from '@loyalty/loyalty-subgraph/objects/objects.events';
import {
  pointsAdjusted,
  pointsAwarded,
  pointsExpired,
  pointsRedeemed,
  pointsReversed,
} from '@loyalty/loyalty-subgraph/points/points.events';
import {
  codeIssued,
  referralEnrolled,
  referralPurchased,
} from '@loyalty/loyalty-subgraph/referrals/referrals.events';
import { tierDowngraded, tiersChanged, tierUpgraded } from '@loyalty/loyalty-subgraph/tiers/tiers.events';
import { storeVisited } from '@loyalty/loyalty-subgraph/visits/visits.events';
import { bulkJobFinished } from '@loyalty/model-subgraph/bulk-jobs/bulk-jobs.events';
import {
  decisionRecorded,
  memberSignalsChanged,
  outcomeRecorded,
} from '@loyalty/model-subgraph/member-states/member-states.events';
import { reportReady, versionPublished } from '@loyalty/model-subgraph/versions/versions.events';
import type { EventType, EventUses } from '@loyalty/platform/work/events';
import type { ActivityKind } from '#generated/schema';
import { campaignFinished, campaignStarted } from '../campaigns/campaigns.events.ts';
import { journeyStepReached } from '../journeys/journeys.events.ts';
import { nearStore, storeDwell } from '../location/location.events.ts';
import { segmentEntered, segmentLeft } from '../segments/segments.events.ts';

/** An event of any payload. */
export type DescribedEvent = Pick<EventType<unknown>, 'type' | 'schema'> & {
  readonly uses: EventUses<never>;
};

/**
 * All events with uses other than the reactions of subgraphs. The uses are described at the definition of
 * each event. The order is the order of the catalog.
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

/** Returns one kind of use of all events, by type. Events without this use are omitted. */
export function usesBy<Use extends keyof EventUses<never>>(
  use: Use,
): Map<string, NonNullable<EventUses<never>[Use]>> {
  const found = describedEvents.map(({ type, uses }) => [type, uses[use]] as const);
  return new Map(
    found.filter((entry): entry is [string, NonNullable<EventUses<never>[Use]>] => entry[1] != null),
  );
}

/** The kinds of activities, by event type. */
export const activityKinds = usesBy('activity') as ReadonlyMap<string, ActivityKind>;

/** The event types of these kinds; null for all kinds. */
export const typesOf = (kinds: readonly ActivityKind[] | null | undefined): string[] | null =>
  kinds ? [...activityKinds].flatMap(([type, kind]) => (kinds.includes(kind) ? [type] : [])) : null;
