import { subgraphCodegen } from '@loyalty/platform/codegen.mjs';

export default subgraphCodegen(import.meta.dirname, {
  ListExport: '@loyalty/platform/exports/exports.store#Export as ExportRow',
  Member: '../src/members.ts#MemberReference',
  OrderItem: '../src/orders/order-items.ts#PricedItem as OrderItemRow',
  OrderBatch: '../src/orders/orders.service.ts#OrderResults as OrderBatchRow',
  OrderBatchResult: '../src/orders/orders.service.ts#IndexedOrderResult as OrderBatchResultRow',
  Refund: '../src/orders/refunds.service.ts#PricedRefund as RefundRow',
  RefundOrderPayload: '../src/orders/refunds.service.ts#Refunded',
  ReceiptReading: '../src/receipts/receipts.store.ts#StoredReading as ReceiptReadingRow',
  ReceiptPointsPreview: '../src/receipts/receipt-reviews.service.ts#PointsPreview as ReceiptPointsPreviewRow',
});
