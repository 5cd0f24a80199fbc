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
 * Returns all data of this subgraph about a member, by section.
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

/** A reference to a member from another subgraph. This subgraph resolves its own fields. */
export interface ReferredMember {
  readonly id: string;
  /** Present if a requested field requires it. */
  readonly emailIndex?: string | null;
}

const NONE: EmailEngagement = { sent: 0, opened: 0, clicked: 0, lastClickAt: null };

/** Returns the reactions of a member to mail. Batched by member. */
export const emailEngagement = async (ctx: Context, memberId: string): Promise<EmailEngagement> =>
  (await ctx.load(engagementByMember, memberId)) ?? NONE;
