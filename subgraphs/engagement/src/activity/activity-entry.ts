import type { PublishedEvent } from '@loyalty/platform/work/events';
import type { ActivityKind } from '#generated/schema';
import { activityKinds } from '../events/described-events.ts';

interface Reference {
  readonly id: string;
}

/** An entry of the activity. The subgraphs that own its references resolve them. */
export interface ActivityEntry {
  readonly id: string;
  readonly kind: ActivityKind;
  readonly occurredAt: Date;
  readonly actor: string | null;
  readonly member: Reference | null;
  readonly order: Reference | null;
  readonly receipt: Reference | null;
  readonly pointsTransaction: Reference | null;
  readonly points: number | null;
  readonly tier: Reference | null;
  readonly previousTier: Reference | null;
  readonly coupon: Reference | null;
  readonly store: Reference | null;
  readonly tag: Reference | null;
  readonly segmentId: string | null;
  readonly journeyId: string | null;
  readonly consentPurpose: string | null;
  readonly isGranted: boolean | null;
  readonly changedFields: readonly string[];
  readonly leftOut: number;
}

/** The fields of payloads of all types. */
type Payload = Partial<
  Record<
    | 'memberId'
    | 'orderId'
    | 'receiptId'
    | 'transactionId'
    | 'tierId'
    | 'previousTierId'
    | 'couponId'
    | 'storeId'
    | 'tagId'
    | 'segmentId'
    | 'journeyId',
    string | null
  >
> & {
  readonly amount?: number;
  readonly points?: number;
  readonly purpose?: string;
  readonly granted?: boolean;
  readonly fields?: readonly string[];
};

/** The event of an entry, just published or stored. */
export type ActivityEvent = Pick<PublishedEvent, 'id' | 'type' | 'payload' | 'actor' | 'createdAt'>;

const referenceTo = (id: string | null | undefined): Reference | null => (id ? { id } : null);

/** Returns the entry of an event. Its type must be an activity. */
export function entryOf({ id, type, payload, actor, createdAt }: ActivityEvent, leftOut = 0): ActivityEntry {
  const kind = activityKinds.get(type)!;
  const held = payload as Payload;
  return {
    ...{ id, kind, occurredAt: createdAt, actor, leftOut },
    member: referenceTo(held.memberId),
    order: referenceTo(held.orderId),
    receipt: referenceTo(held.receiptId),
    pointsTransaction: referenceTo(held.transactionId),
    points: pointsOf(kind, held),
    tier: referenceTo(held.tierId),
    previousTier: referenceTo(held.previousTierId),
    coupon: referenceTo(held.couponId),
    store: referenceTo(held.storeId),
    tag: referenceTo(held.tagId),
    segmentId: held.segmentId ?? null,
    journeyId: held.journeyId ?? null,
    consentPurpose: held.purpose ?? null,
    isGranted: held.granted ?? null,
    changedFields: held.fields ?? [],
  };
}

/** The points of a refund are the points that are taken back. */
function pointsOf(kind: ActivityKind, { amount, points }: Payload): number | null {
  if (kind === 'ORDER_REFUNDED' && points) return -points;
  return amount ?? points ?? null;
}
