import { JourneyAnalyticsDocument } from '#generated/graphql';
import { GET } from '../../../table/row.ts';

export const journeyAnalyticsRoutes = [
  GET('/api/campaigns/:id/journey-analytics', JourneyAnalyticsDocument, {
    tool: { name: 'journey_analytics' },
  }),
];
