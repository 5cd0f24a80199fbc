import type { Context } from '@loyalty/platform/context';
import { memberActivityData } from '../activity/activity.service.ts';
import { attributedOrdersOf } from '../campaign-results/attribution.service.ts';
import { listGeofenceEvents } from '../location/location.service.ts';
import { exportedMessages } from '../messages/messages.service.ts';
import { findMember } from '../peers.ts';
import { exportedProfile } from '../profiles/keep-profiles.service.ts';
import { countBrowsers } from '../push/push-subscriptions.service.ts';
import { exportedSegments } from '../segments/segment-members.service.ts';
import { suppressionOfMember } from '../suppressions/suppressions.service.ts';
import { trackingOfMember } from '../tracking/tracked-events.service.ts';
import { type EmailEngagement, engagementByMember } from './member-data.store.ts';

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

/** A member in an answer of another subgraph, whose fields this subgraph adds. */
export interface ReferredMember {
  readonly id: string;
  /** Given where a field is asked for that needs it. */
  readonly emailIndex?: string | null;
}

const NONE: EmailEngagement = { sent: 0, opened: 0, clicked: 0, lastClickAt: null };

/** How a member reacted to mail; members of a page load together. */
export const emailEngagement = async (ctx: Context, memberId: string): Promise<EmailEngagement> =>
  (await ctx.load(engagementByMember, memberId)) ?? NONE;
