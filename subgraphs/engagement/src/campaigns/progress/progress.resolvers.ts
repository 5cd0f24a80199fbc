import type { CampaignResolvers, SubscriptionResolvers } from '#generated/schema';
import type { Campaign as CampaignRow } from '../campaigns/campaigns.service.ts';
import { campaignFigures, watchCampaign } from './progress.service.ts';

export const Subscription = {
  campaignProgress: {
    subscribe: (_, { id }, ctx) => watchCampaign(ctx, id),
    resolve: (campaign: CampaignRow) => campaign,
  },
} satisfies SubscriptionResolvers;

export const Campaign = {
  figures: (campaign, _, ctx) => campaignFigures(ctx, campaign),
} satisfies Pick<CampaignResolvers, 'figures'>;
