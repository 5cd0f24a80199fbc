import { defineSubgraph } from '@loyalty/platform/subgraph';
import * as brands from './brands/brands.resolvers.ts';
import * as categories from './categories/categories.resolvers.ts';
import * as products from './products/products.resolvers.ts';
import * as receiptImages from './receipt-images/receipt-images.resolvers.ts';
import * as receipts from './receipts/receipts.resolvers.ts';
import * as storeRefs from './store-refs/store-refs.resolvers.ts';
import * as stores from './stores/stores.resolvers.ts';

/** Stores, orders, catalog and receipts. */
export const commerce = defineSubgraph('commerce', import.meta.dirname, [
  stores,
  storeRefs,
  products,
  categories,
  brands,
  receipts,
  receiptImages,
]);
