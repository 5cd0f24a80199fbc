import {
  CallCapabilitiesDocument,
  CallCapabilityDocument,
  ListCapabilitiesDocument,
} from '#generated/graphql';
import { GET, POST } from '../../table/row.ts';

export const capabilitiesRoutes = [
  GET('/api/v1/capabilities', ListCapabilitiesDocument, { tool: { name: 'capabilities_list' } }),
  POST('/api/v1/capabilities', CallCapabilityDocument, { tool: { name: 'capability_call' } }),
  POST('/api/v1/capabilities/batch', CallCapabilitiesDocument, {
    isBatch: true,
    omitNull: ['result', 'error'],
  }),
];
