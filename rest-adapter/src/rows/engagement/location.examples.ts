import { type Example, storeId } from '../example.ts';

export const locationExamples: Readonly<Record<string, Example>> = {
  NearbyStores: {
    about:
      'Stores within 25 km of a place, at most 20, nearest first. Empty without the consent ' +
      'precise_location, and with the header `Sec-GPC: 1`. The place is not stored, logged or traced.',
    body: { lat: 38.71, lng: -9.137, limit: 5 },
    reply: {
      geofences: [{ storeId, name: 'Rua Augusta', lat: 38.7103, lng: -9.1371, distanceMeters: 34 }],
    },
  },
  RecordGeofenceEvent: {
    body: { storeId, eventType: 'enter' },
    reply: { recorded: true },
  },
};
