import { NearbyStoresDocument, RecordGeofenceEventDocument } from '#generated/graphql';
import { POST } from '../../table/row.ts';

export const locationRoutes = [
  POST('/api/v2/lbs/nearby-stores', NearbyStoresDocument, {
    tool: { name: 'stores_nearby', isReadOnly: true },
  }),
  POST('/api/v2/lbs/geofence-event', RecordGeofenceEventDocument, { omitNull: ['reason'] }),
];
