import { defineSubgraph } from '@loyalty/platform/graph/subgraph';
import * as catalog from './catalog/catalog.resolvers.ts';
import * as earningRules from './earning-rules/earning-rules.resolvers.ts';
import * as memberData from './members.resolvers.ts';
import * as orderFacts from './orders/order-facts.resolvers.ts';
import * as orders from './orders/orders.resolvers.ts';
import * as refunds from './orders/refunds.resolvers.ts';
import * as receiptImages from './receipts/receipt-images.resolvers.ts';
import * as receipts from './receipts/receipts.resolvers.ts';
import * as stores from './stores/stores.resolvers.ts';

export const commerce = defineSubgraph('commerce', import.meta.dirname, [
  stores,
  refunds,
  earningRules,
  orders,
  memberData,
  catalog,
  receipts,
  receiptImages,
  orderFacts,
]);
