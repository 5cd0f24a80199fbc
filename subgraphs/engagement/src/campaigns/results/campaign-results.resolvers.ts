import type { CampaignResolvers, CampaignResultsResolvers } from '#generated/schema';
import { campaignResults, clickedLinks } from './campaign-results.service.ts';

export const Campaign = {
  results: ({ id }, _, ctx) => campaignResults(ctx, id),
} satisfies CampaignResolvers;

export const CampaignResults = {
  links: (results, _, ctx) => clickedLinks(ctx, results),
} satisfies CampaignResultsResolvers;
