import { TrackEventsDocument, TrackingStatsDocument } from '#generated/graphql';
import { GET, POST } from '../../table/row.ts';

export const trackingRoutes = [
  POST('/api/v2/tracking/events', TrackEventsDocument, {
    status: 202,
    itemsField: 'events',
    rejectedField: 'rejected',
  }),
  GET('/api/v2/tracking/stats', TrackingStatsDocument, { tool: { name: 'tracking_stats' } }),
];
