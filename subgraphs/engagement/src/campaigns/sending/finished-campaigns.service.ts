import type { Context } from '@loyalty/platform/context';
import { publish } from '@loyalty/platform/outbox/events';
import { campaignFinished } from '../campaign-events/campaigns.events.ts';
import { totalOf } from '../campaigns/recipient-counts.ts';
import type { ClaimedCampaign } from './campaign-claims.store.ts';

/** Publishes the end of a campaign that had begun; who waits until then gets nothing. */
export const publishCampaignFinished = (
  tx: Context,
  { id, recipientCounts }: Pick<ClaimedCampaign, 'id' | 'recipientCounts'>,
): Promise<void> =>
  publish(tx, campaignFinished, {
    campaignId: id,
    recipients: totalOf(recipientCounts),
    heldOut: totalOf(recipientCounts, 'HELD_OUT'),
    skipped: totalOf(recipientCounts, 'SKIPPED', 'WAITING'),
    queued: totalOf(recipientCounts, 'QUEUED'),
  });
