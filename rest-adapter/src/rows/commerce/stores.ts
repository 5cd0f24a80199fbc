import { GetStoreDocument, ListStoresDocument } from '#generated/graphql';
import { GET } from '../../table/row.ts';

export const storesRoutes = [
  GET('/api/v2/stores', ListStoresDocument, { tool: { name: 'stores_list' } }),
  GET('/api/v2/stores/:id', GetStoreDocument, { tool: { name: 'stores_get' } }),
];
