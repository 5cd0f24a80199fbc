import { catalogImported } from '@loyalty/commerce-subgraph/catalog/catalog-import/catalog-import.events';
import { ordersImported } from '@loyalty/commerce-subgraph/orders/order-import/order-import.events';
import { orderCreated } from '@loyalty/commerce-subgraph/orders/orders/orders.events';
import { orderRefunded } from '@loyalty/commerce-subgraph/orders/refunds/refunds.events';
import {
  receiptProcessed,
  receiptSubmitted,
} from '@loyalty/commerce-subgraph/receipts/receipts/receipts.events';
import { couponPoolLow } from '@loyalty/loyalty-subgraph/coupons/coupon-pools/coupon-pools.events';
import { couponIssued, couponRedeemed } from '@loyalty/loyalty-subgraph/coupons/coupons/coupons.events';
import { captureCreated } from '@loyalty/loyalty-subgraph/joining/captures/captures.events';
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
import { tierDowngraded, tierUpgraded } from '@loyalty/loyalty-subgraph/tiers/tiers/tiers.events';
import { storeVisited } from '@loyalty/loyalty-subgraph/visits/visits/visits.events';
import { versionPublished } from '@loyalty/model-subgraph/training/publication/publication.events';
import { reportReady } from '@loyalty/model-subgraph/training/reports/reports.events';
import type { EventType } from '@loyalty/platform/outbox/events';
import { campaignFinished, campaignStarted } from '../../campaigns/campaign-events/campaigns.events.ts';
import { journeyStepReached } from '../../journeys/actions/journey-actions.events.ts';
import { nearStore, storeDwell } from '../../location/location.events.ts';
import { segmentEntered, segmentLeft } from '../../segments/memberships/memberships.events.ts';

/** In the order of a member's life. */
export const eventStages = [
  'acquisition',
  'engagement',
  'loyalty',
  'retention',
  'commerce',
  'advocacy',
] as const;
export type EventStage = (typeof eventStages)[number];

/** An event that integrations may subscribe to. */
export interface CatalogEvent {
  /** Its name in `eventTypes` and in the body of a delivery. */
  readonly key: string;
  readonly stage: EventStage;
  readonly label: string;
  readonly description: string;
  /** The field of the payload whose id is `data.resource_id`. */
  readonly resource: string;
  /** Its deliveries show the member's tier. */
  readonly showsTier: boolean;
  /** The type of the event, with the shape of its payload. */
  readonly type: EventType<unknown>;
}

type Described = Pick<CatalogEvent, 'type' | 'resource' | 'label' | 'description'>;

const described = <Payload>(
  type: EventType<Payload>,
  resource: keyof Payload & string,
  label: string,
  description: string,
): Described => ({ type: type as EventType<unknown>, resource, label, description });

const inStage = (stage: EventStage, events: readonly Described[]): readonly CatalogEvent[] =>
  events.map((event) => ({
    ...event,
    key: event.type.type,
    stage,
    showsTier: stage === 'loyalty' && Object.hasOwn(shapeOf(event.type), 'memberId'),
  }));

/** The fields of a payload by name. */
const shapeOf = ({ schema }: EventType<unknown>): Readonly<Record<string, unknown>> =>
  (schema as unknown as { readonly shape: Readonly<Record<string, unknown>> }).shape;

/** Does its payload have a field of this name? */
export const hasField = ({ type }: CatalogEvent, field: string): boolean =>
  Object.hasOwn(shapeOf(type), field);

/** Every event that integrations may subscribe to; a test fires each of them through the API. */
export const catalogEvents: readonly CatalogEvent[] = [
  ...inStage('acquisition', [
    described(memberCreated, 'memberId', 'Member created', 'A member was enrolled.'),
    described(
      enrollmentConfirmed,
      'memberId',
      'Enrollment confirmed',
      'Somebody who joined by a form confirmed the address.',
    ),
    described(captureCreated, 'captureId', 'Capture created', 'Somebody left an address.'),
    described(
      membersImported,
      'importId',
      'Members imported',
      'An import of members has ended. Its members have no events of their own.',
    ),
  ]),
  ...inStage('engagement', [
    described(memberUpdated, 'memberId', 'Member updated', 'Details of a member changed.'),
    described(memberTagged, 'memberId', 'Tag added', 'A tag was added to a member.'),
    described(memberUntagged, 'memberId', 'Tag removed', 'A tag was removed from a member.'),
    described(memberConsentChanged, 'memberId', 'Consent changed', 'A member granted or withdrew a consent.'),
    described(
      storeVisited,
      'visitId',
      'Store visited',
      'A member visited a store. At most once per member, store and day.',
    ),
    described(campaignStarted, 'campaignId', 'Campaign started', 'A campaign began to be sent.'),
    described(
      campaignFinished,
      'campaignId',
      'Campaign finished',
      'A campaign was sent, or cancelled after it had begun.',
    ),
    described(nearStore, 'geofenceEventId', 'Near a store', 'A member came near a store.'),
    described(storeDwell, 'geofenceEventId', 'Staying near a store', 'A member stays near a store.'),
    described(recordCreated, 'recordId', 'Record created', 'A record of a custom object was created.'),
    described(
      recordUpdated,
      'recordId',
      'Record updated',
      'A record of a custom object was changed or restored.',
    ),
    described(recordDeleted, 'recordId', 'Record deleted', 'A record of a custom object was deleted.'),
    described(
      segmentEntered,
      'segmentId',
      'Segment entered',
      'A member meets the conditions of a segment from now on. Changes of the conditions lead to none.',
    ),
    described(
      segmentLeft,
      'segmentId',
      'Segment left',
      'A member meets the conditions of a segment no longer. Changes of the conditions lead to none.',
    ),
    described(
      journeyStepReached,
      'journeyId',
      'Journey step reached',
      'A member came to a webhook node of a journey, or to such an action of an automation.',
    ),
    described(
      reportReady,
      'reportId',
      'Evaluation report ready',
      'A version that the workspace trains was evaluated. Its report waits for a review.',
    ),
    described(
      versionPublished,
      'modelVersionId',
      'Model version published',
      'A version that the workspace trained is in use from now on.',
    ),
  ]),
  ...inStage('loyalty', [
    described(pointsAwarded, 'transactionId', 'Points awarded', 'Points were added to a member.'),
    described(pointsRedeemed, 'transactionId', 'Points redeemed', 'A member spent points.'),
    described(
      pointsAdjusted,
      'transactionId',
      'Points adjusted',
      'An admin corrected the points of a member.',
    ),
    described(
      pointsReversed,
      'transactionId',
      'Points reversed',
      'Points that a member had earned were taken back.',
    ),
    described(pointsExpired, 'transactionId', 'Points expired', 'Points of a member were not spent in time.'),
    described(tierUpgraded, 'tierId', 'Tier upgraded', 'A member reached a higher tier.'),
    described(
      tierDowngraded,
      'memberId',
      'Tier downgraded',
      'A member was downgraded to a lower tier, or to none.',
    ),
    described(couponIssued, 'couponId', 'Coupon issued', 'A coupon was issued to a member or a capture.'),
    described(couponRedeemed, 'couponId', 'Coupon redeemed', 'A coupon was used.'),
    described(
      couponPoolLow,
      'poolId',
      'Coupon pool low',
      'The stock of a coupon pool fell to its threshold.',
    ),
    described(receiptSubmitted, 'receiptId', 'Receipt submitted', 'A receipt was submitted for a member.'),
    described(receiptProcessed, 'receiptId', 'Receipt processed', 'A receipt was approved or rejected.'),
  ]),
  ...inStage('retention', [
    described(
      memberInactive,
      'memberId',
      'Member inactive',
      'A member has been inactive for 365 days, or was set inactive.',
    ),
    described(memberUnsubscribed, 'memberId', 'Member unsubscribed', 'A member opted out of marketing.'),
    described(
      memberRestrictionChanged,
      'memberId',
      'Restriction changed',
      "Processing of a member's data was restricted or allowed again.",
    ),
    described(memberErasureRequested, 'memberId', 'Erasure requested', 'A member will be erased in 30 days.'),
    described(
      memberErasureCancelled,
      'memberId',
      'Erasure cancelled',
      'The requested erasure of a member was cancelled.',
    ),
    described(memberErased, 'memberId', 'Member erased', 'The personal data of a member were erased.'),
  ]),
  ...inStage('commerce', [
    described(orderCreated, 'orderId', 'Order created', 'An order was recorded.'),
    described(orderRefunded, 'refundId', 'Order refunded', 'An order was refunded, in full or in part.'),
    described(
      ordersImported,
      'importId',
      'Orders imported',
      'An import of orders has ended. Its orders have no events of their own, and so it has no amount_band.',
    ),
    described(
      catalogImported,
      'importId',
      'Catalog imported',
      'An import of products has ended. It is about no purchase, and so it has no amount_band.',
    ),
  ]),
  ...inStage('advocacy', [
    described(codeIssued, 'codeId', 'Ambassador code issued', 'A member became an ambassador.'),
    described(referralEnrolled, 'memberId', 'Referral enrolled', "A member joined by an ambassador's code."),
    described(referralPurchased, 'orderId', 'Referral purchased', 'A member who joined by a code ordered.'),
  ]),
];

/** By key. */
export const catalogByKey: ReadonlyMap<string, CatalogEvent> = new Map(
  catalogEvents.map((event) => [event.key, event]),
);
