import type { Context } from '@loyalty/platform/context';
import { attributedOrdersOf } from '../../campaign-results/attribution.service.ts';
import { listGeofenceEvents } from '../../location/location.service.ts';
import { exportedMessages } from '../../messages/messages/messages.service.ts';
import { findMember } from '../../peers.ts';
import { exportedProfile } from '../../profiles/keep-profiles.service.ts';
import { countBrowsers } from '../../push/push-subscriptions/push-subscriptions.service.ts';
import { exportedSegments } from '../../segments/segment-members.service.ts';
import { suppressionOfMember } from '../../suppressions/suppressions.service.ts';
import { trackingOfMember } from '../../tracking/tracked-events/visitor-data.service.ts';
import { memberActivityData } from '../activity/member-activity-data.service.ts';

/**
 * Everything that this subgraph holds about a member, by section; a section more is a line more.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function memberData(ctx: Context, memberId: string): Promise<Record<string, unknown>> {
  const member = await findMember(ctx, memberId);
  return {
    activity: await memberActivityData(ctx, memberId),
    attributedOrders: await attributedOrdersOf(ctx, memberId),
    pushBrowsers: await countBrowsers(ctx, memberId),
    messages: await exportedMessages(ctx, memberId),
    segments: await exportedSegments(ctx, memberId),
    suppression: await suppressionOfMember(ctx, member?.emailIndex ?? null),
    geofenceEvents: await listGeofenceEvents(ctx, memberId),
    segmentProfile: await exportedProfile(ctx, memberId),
    tracking: await trackingOfMember(ctx, memberId),
  };
}
