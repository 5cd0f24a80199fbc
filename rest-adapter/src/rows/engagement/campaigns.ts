import {
  CreateCampaignDocument,
  GetCampaignDocument,
  JourneyAnalyticsDocument,
  ListCampaignsDocument,
} from '#generated/graphql';
import { GET, POST } from '../../table/row.ts';

export const campaignsRoutes = [
  GET('/api/v2/campaigns', ListCampaignsDocument, { tool: { name: 'campaigns_list' } }),
  POST('/api/v2/campaigns', CreateCampaignDocument, { tool: { name: 'campaign_draft' }, status: 201 }),
  GET('/api/v2/campaigns/:id', GetCampaignDocument, { tool: { name: 'campaigns_get' } }),
];

export const journeyAnalyticsRoutes = [
  GET('/api/campaigns/:id/journey-analytics', JourneyAnalyticsDocument, {
    tool: { name: 'journey_analytics' },
  }),
];
