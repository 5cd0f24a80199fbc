import { CreateCampaignDocument, GetCampaignDocument, ListCampaignsDocument } from '#generated/graphql';
import { GET, POST } from '../../../table/row.ts';

export const campaignsRoutes = [
  GET('/api/v2/campaigns', ListCampaignsDocument),
  POST('/api/v2/campaigns', CreateCampaignDocument, { status: 201 }),
  GET('/api/v2/campaigns/:id', GetCampaignDocument),
];
