import { defineSubgraph } from '@loyalty/platform/graph/subgraph';
import * as brands from './catalog/brands/brands.resolvers.ts';
import * as categories from './catalog/categories/categories.resolvers.ts';
import * as products from './catalog/products/products.resolvers.ts';
import * as earningRules from './earning-rules/earning-rules.resolvers.ts';
import * as memberData from './member-data/member-data.resolvers.ts';
import * as earningPreview from './orders/earning-preview/earning-preview.resolvers.ts';
import * as memberOrders from './orders/member-orders/member-orders.resolvers.ts';
import * as orderExport from './orders/order-export/order-export.resolvers.ts';
import * as orderFacts from './orders/order-facts/order-facts.resolvers.ts';
import * as orderSummary from './orders/order-summary/order-summary.resolvers.ts';
import * as orders from './orders/orders/orders.resolvers.ts';
import * as refunds from './orders/refunds/refunds.resolvers.ts';
import * as salesStatistics from './orders/sales-statistics/sales-statistics.resolvers.ts';
import * as receiptImages from './receipts/receipt-images/receipt-images.resolvers.ts';
import * as receipts from './receipts/receipts/receipts.resolvers.ts';
import * as nearbyStores from './stores/nearby-stores/nearby-stores.resolvers.ts';
import * as storeRefs from './stores/store-refs/store-refs.resolvers.ts';
import * as stores from './stores/stores/stores.resolvers.ts';

/** Stores, orders, catalog and receipts. */
export const commerce = defineSubgraph('commerce', import.meta.dirname, [
  stores,
  storeRefs,
  nearbyStores,
  orders,
  refunds,
  salesStatistics,
  orderSummary,
  orderExport,
  earningRules,
  earningPreview,
  memberData,
  products,
  categories,
  brands,
  receipts,
  receiptImages,
  orderFacts,
  memberOrders,
]);
