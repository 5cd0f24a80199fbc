import {
  CallCapabilitiesDocument,
  CallCapabilityDocument,
  ListCapabilitiesDocument,
} from '#generated/graphql';
import { GET, POST } from '../../table/row.ts';

export const capabilitiesRoutes = [
  GET('/api/v1/capabilities', ListCapabilitiesDocument),
  POST('/api/v1/capabilities', CallCapabilityDocument),
  POST('/api/v1/capabilities/batch', CallCapabilitiesDocument, {
    isBatch: true,
    omitNull: ['result', 'error'],
  }),
];
