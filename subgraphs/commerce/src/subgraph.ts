import { defineSubgraph } from '@loyalty/platform/graph/subgraph';
import * as brands from './catalog/catalog.resolvers.ts';
import * as earningRules from './earning-rules/earning-rules.resolvers.ts';
import * as memberData from './members.resolvers.ts';
import * as memberOrders from './orders/order-facts.resolvers.ts';
import * as earningPreview from './orders/orders.resolvers.ts';
import * as refunds from './orders/refunds.resolvers.ts';
import * as receiptImages from './receipts/receipt-images.resolvers.ts';
import * as receipts from './receipts/receipts.resolvers.ts';
import * as nearbyStores from './stores/stores.resolvers.ts';

/** Stores, earningPreview, catalog and receipts. */
export const commerce = defineSubgraph('commerce', import.meta.dirname, [
  nearbyStores,
  refunds,
  earningRules,
  earningPreview,
  memberData,
  brands,
  receipts,
  receiptImages,
  memberOrders,
]);
