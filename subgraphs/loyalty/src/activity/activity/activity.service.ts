import type { Context } from '@loyalty/platform/context';
import { mapIterator } from '@loyalty/platform/live/map-iterator';
import { watchEvents } from '@loyalty/platform/live/watch-events';
import type { EventType, PublishedEvent } from '@loyalty/platform/outbox/events';
import type { ActivityKind } from '#generated/schema';
import { couponIssued, couponRedeemed, visitObserved } from '../../coupons/coupons/coupons.events.ts';
import { enrollmentConfirmed } from '../../joining/enrollment/enrollment.events.ts';
import { memberConsentChanged } from '../../members/consents/consents.events.ts';
import { memberExportRequested } from '../../members/member-exports/member-exports.events.ts';
import {
  memberErased,
  memberErasureCancelled,
  memberErasureRequested,
  memberInactive,
  memberRestrictionChanged,
  memberUnsubscribed,
} from '../../members/member-status/member-status.events.ts';
import { memberCreated, memberUpdated } from '../../members/members/members.events.ts';
import { getMember } from '../../members/members/members.service.ts';
import { memberTagged, memberUntagged } from '../../members/tags/tags.events.ts';
import {
  pointsAdjusted,
  pointsAwarded,
  pointsExpired,
  pointsRedeemed,
  pointsReversed,
} from '../../points/points/points.events.ts';
import { codeIssued } from '../../referrals/ambassador/ambassador.events.ts';
import { referralEnrolled, referralPurchased } from '../../referrals/referrals/referrals.events.ts';
import { tierDowngraded, tierUpgraded } from '../../tiers/tiers/tiers.events.ts';
import { storeVisited } from '../../visits/visits/visits.events.ts';

/** One thing that happened to a member; what it refers to is named by ids. */
export interface ActivityEntry {
  readonly id: string;
  readonly kind: ActivityKind;
  readonly occurredAt: Date;
  readonly memberId: string;
  readonly transactionId: string | null;
  readonly tierId: string | null;
  readonly previousTierId: string | null;
  readonly couponId: string | null;
  readonly changedFields: readonly string[];
}

const kindOf = ({ type }: Pick<EventType<unknown>, 'type'>, kind: ActivityKind) => [type, kind] as const;

/** Every event that is shown as an activity of a member. */
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
  kindOf(storeVisited, 'STORE_VISITED'),
  kindOf(enrollmentConfirmed, 'ENROLLMENT_CONFIRMED'),
  kindOf(codeIssued, 'AMBASSADOR_CODE_ISSUED'),
  kindOf(referralEnrolled, 'REFERRAL_ENROLLED'),
  kindOf(referralPurchased, 'REFERRAL_PURCHASED'),
  kindOf(couponIssued, 'COUPON_ISSUED'),
  kindOf(couponRedeemed, 'COUPON_REDEEMED'),
  kindOf(tierDowngraded, 'TIER_DOWNGRADED'),
]);

/** Events that only start a job; the job publishes the activity. */
export const notActivity: ReadonlySet<string> = new Set([visitObserved.type]);

/**
 * What happens to a member from now on, sent when it is committed, by any process.
 *
 * @throws AppError MEMBER_NOT_FOUND (404)
 * @returns entries until the subscription ends; fails with SLOW_CONSUMER (429) when more than 1,000 wait to
 * be read
 */
export async function watchMember(
  ctx: Context,
  memberId: string,
): Promise<AsyncIterableIterator<ActivityEntry>> {
  await getMember(ctx, memberId);
  return mapIterator(watchEvents(ctx, 'member', memberId), { map: async (event) => entryOf(event) });
}

function entryOf({ id, type, payload, createdAt }: PublishedEvent): ActivityEntry | undefined {
  const kind = activityKinds.get(type);
  if (!kind) return undefined;
  const { fields, ...ids } = payload as { memberId: string; fields?: readonly string[] };
  const none = { transactionId: null, tierId: null, previousTierId: null, couponId: null };
  return { ...none, ...ids, id, kind, occurredAt: createdAt, changedFields: fields ?? [] };
}
