import { subgraphCodegen } from '@loyalty/platform/codegen.mjs';

export default subgraphCodegen(import.meta.dirname, {
  ListExport: '@loyalty/platform/exports/exports.store#Export as ExportRow',
  Store: '../src/stores/stores/stores.store.ts#Store as StoreRow',
  Member: '../src/members/open-members.ts#MemberReference',
  Order: '../src/orders/orders/orders.store.ts#Order as OrderRow',
  OrderItem: '../src/orders/orders/order-items.ts#PricedItem as OrderItemRow',
  OrderBatch: '../src/orders/orders/orders.service.ts#OrderResults as OrderBatchRow',
  OrderBatchResult: '../src/orders/orders/orders.service.ts#IndexedOrderResult as OrderBatchResultRow',
  Refund: '../src/orders/refunds/refunds.service.ts#PricedRefund as RefundRow',
  RefundOrderPayload: '../src/orders/refunds/refunds.service.ts#Refunded',
  EarningRule: '../src/earning-rules/earning-rules.store.ts#EarningRule as EarningRuleRow',
  EarningLine: '../src/earning-rules/earning-rules.evaluate.ts#EarningLine as EarningLineRow',
  EarningPreview:
    '../src/orders/earning-preview/earning-preview.service.ts#EarningPreview as EarningPreviewRow',
  Product: '../src/catalog/products/products.store.ts#Product as ProductRow',
  Category: '../src/catalog/categories/categories.store.ts#Category as CategoryRow',
  Brand: '../src/catalog/brands/brands.store.ts#Brand as BrandRow',
  Receipt: '../src/receipts/receipts/receipts.store.ts#Receipt as ReceiptRow',
  ReceiptReading: '../src/receipts/receipts/receipts.store.ts#StoredReading as ReceiptReadingRow',
  ReceiptPointsPreview:
    '../src/receipts/receipts/receipt-reviews.service.ts#PointsPreview as ReceiptPointsPreviewRow',
  ReceiptItem: '../src/receipts/receipt-reading/receipt-text.ts#ReceiptItem as ReceiptItemRow',
});
