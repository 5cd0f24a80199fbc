import type { Context } from '@loyalty/platform/context';
import { timeZoneOf } from '@loyalty/platform/database/time-zone';
import { queueMessages } from '../messages/queue-messages.service.ts';
import { memberIdsOf } from '../profiles/memberships.service.ts';
import { type CampaignVariant, changedCounts, type RecipientCounts } from './campaign.ts';
import { type ClaimedCampaign, lockCampaign, type NextStep, writeCounts } from './campaign-claims.store.ts';
import { localTime } from './local-times.ts';
import {
  campaignsOfMember,
  type DueRecipient,
  insertRecipients,
  lockDueRecipients,
  lockWaiting,
  moveRecipients,
  type NewCampaignRecipient,
  timeZonesOf,
} from './recipients.store.ts';

/** Batch size: members per step. */
const RANGE = 5_000;

/** Adds the next members of the audience as recipients, in the order of their ids. */
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

/** Returns the due time of each member's message: the start, or the scheduled local time of the member. */
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

/** Batch size: recipients per step. */
const BATCH = 1_000;

/**
 * Queues messages for the next due recipients, in the caller's transaction.
 *
 * @returns the changes of the counts of recipients; empty if no recipient is due
 */
export async function queueDue(tx: Context, campaign: ClaimedCampaign): Promise<RecipientCounts> {
  const due = await lockDueRecipients(tx, campaign.id, BATCH);
  if (due.length === 0) return [];
  for (const [key, recipients] of Map.groupBy(due, ({ variant }) => variant)) {
    const variant = campaign.variants.find((each) => each.key === key)!;
    await queueVariant(tx, campaign, variant, recipients);
  }
  const memberIds = due.map(({ memberId }) => memberId);
  await moveRecipients(tx, campaign.id, memberIds, null);
  const changes = due.flatMap(({ variant }) => [
    { variant, state: 'WAITING', reason: null, count: -1 } as const,
    { variant, state: 'QUEUED', reason: null, count: 1 } as const,
  ]);
  return changedCounts([], changes);
}

/** The idempotency key of a message, so that no member receives two messages of a campaign. */
const keyOf = (campaignId: string, memberId: string): string => `campaign:${campaignId}:${memberId}`;

async function queueVariant(
  tx: Context,
  { id, channel }: ClaimedCampaign,
  variant: CampaignVariant,
  recipients: readonly DueRecipient[],
): Promise<void> {
  await queueMessages(tx, {
    channel,
    category: 'MARKETING',
    ...contentOf(variant),
    source: { kind: 'CAMPAIGN', id, nodeId: '', variant: variant.key },
    recipients: recipients.map(({ memberId }) => ({ memberId, key: keyOf(id, memberId) })),
    data: {},
  });
}

function contentOf({ templateId, templateVersion, subject, html, title, body, url, icon }: CampaignVariant) {
  if (templateId) return { templateId, templateVersion };
  // An unsubscribe link is added to marketing without one.
  if (title === undefined) return { inline: { subject: subject!, html: html! } };
  return { notification: { title, body: body ?? null, url: url ?? null, icon: icon ?? null } };
}

const reason = 'MEMBER_ERASED';

/** Stops waiting messages of an erased member. The stored recipient contains no personal data. */
export async function eraseRecipient(ctx: Context, memberId: string): Promise<void> {
  for (const id of await campaignsOfMember(ctx, memberId)) {
    await ctx.transaction(async (tx) => {
      const campaign = await lockCampaign(tx, id);
      const variant = campaign && (await lockWaiting(tx, id, memberId));
      if (!campaign || variant === null) return;
      await moveRecipients(tx, id, [memberId], reason);
      const changes = [
        { variant, state: 'WAITING', reason: null, count: -1 },
        { variant, state: 'SKIPPED', reason, count: 1 },
      ] as const;
      await writeCounts(tx, id, changedCounts(campaign.recipientCounts, changes));
    });
  }
}
