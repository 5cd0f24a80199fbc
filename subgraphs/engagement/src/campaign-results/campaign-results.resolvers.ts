import type { CampaignResolvers, CampaignResultsResolvers, SubscriptionResolvers } from '#generated/schema';
import type { Campaign as CampaignRow } from '../campaigns/campaigns.service.ts';
import { campaignFigures, watchCampaign } from './campaign-figures.service.ts';
import { campaignResults, clickedLinks } from './campaign-results.service.ts';

export const Subscription = {
  campaignProgress: {
    subscribe: (_, { id }, ctx) => watchCampaign(ctx, id),
    resolve: (campaign: CampaignRow) => campaign,
  },
} satisfies SubscriptionResolvers;

export const Campaign = {
  figures: (campaign, _, ctx) => campaignFigures(ctx, campaign),
  results: ({ id }, _, ctx) => campaignResults(ctx, id),
} satisfies CampaignResolvers;

export const CampaignResults = {
  links: (results, _, ctx) => clickedLinks(ctx, results),
} satisfies CampaignResultsResolvers;
