import { defineSubgraph } from '@loyalty/platform/subgraph';
import * as importPreview from './import-preview/import-preview.resolvers.ts';
import * as storeRefs from './store-refs/store-refs.resolvers.ts';
import * as stores from './stores/stores.resolvers.ts';

/** Stores, orders, catalog and receipts. */
export const commerce = defineSubgraph('commerce', import.meta.dirname, [stores, storeRefs, importPreview]);
