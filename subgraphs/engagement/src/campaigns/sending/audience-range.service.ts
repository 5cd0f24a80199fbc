import type { Context } from '@loyalty/platform/context';
import { timeZoneOf } from '@loyalty/platform/values/time-zone';
import { memberIdsOf } from '../../segments/memberships/memberships.service.ts';
import { changedCounts } from '../campaigns/recipient-counts.ts';
import type { ClaimedCampaign, NextStep } from './campaign-claims.store.ts';
import { localTime } from './local-times.ts';
import { insertRecipients, type NewCampaignRecipient, timeZonesOf } from './recipients.store.ts';

/** Members of one range. */
const RANGE = 5_000;

/** Makes the next members of the audience recipients, in the order of their ids. */
export async function addToAudience(tx: Context, campaign: ClaimedCampaign): Promise<NextStep> {
  const memberIds = await memberIdsOf(tx, [...campaign.segmentIds], {
    afterId: campaign.audienceToId!,
    limit: RANGE,
    excludeIds: [...campaign.excludedSegmentIds],
  });
  const changes =
    memberIds.length > 0 ? await insertRecipients(tx, campaign, await dueTimes(tx, campaign, memberIds)) : [];
  return {
    audienceToId: memberIds.length < RANGE ? null : memberIds.at(-1)!,
    recipientCounts: changedCounts(campaign.recipientCounts, changes),
    dueAt: tx.clock.now(),
  };
}

/** When each member's message is due: at the start, or when the member's own clock shows the time. */
async function dueTimes(
  tx: Context,
  { isLocalTime, scheduledAt, startedAt }: ClaimedCampaign,
  memberIds: readonly string[],
): Promise<NewCampaignRecipient[]> {
  if (!isLocalTime || !scheduledAt) return memberIds.map((memberId) => ({ memberId, dueAt: startedAt! }));
  const workspaceZone = await timeZoneOf(tx);
  const zones = await timeZonesOf(tx, memberIds);
  const times = new Map<string, Date>();
  return memberIds.map((memberId) => {
    const zone = zones.get(memberId) ?? workspaceZone;
    const dueAt = times.get(zone) ?? localTime(scheduledAt, workspaceZone, zone);
    times.set(zone, dueAt);
    return { memberId, dueAt };
  });
}
