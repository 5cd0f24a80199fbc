import type { IndexesByFile } from './indexes-by-file.ts';

export const commerceIndexes: IndexesByFile = {
  'subgraphs/commerce/src/catalog/products.store.ts': {
    products_category_ids_idx: 'p.category_ids && ARRAY(',
  },
  'subgraphs/commerce/src/orders/orders.store.ts': {
    orders_member_idx: 'o.member_id = w.member_id',
    orders_occurred_idx: 'ORDER BY o.occurred_at',
    orders_store_idx: 'o.store_id = ',
  },
  'subgraphs/commerce/src/receipts/receipt-images.store.ts': {
    receipt_images_workspace_id_mode_member_id_idx: 'AND member_id = $3',
  },
  'subgraphs/commerce/src/receipts/receipts.store.ts': {
    receipt_fingerprints_workspace_id_mode_receipt_id_idx: 'r.receipt_id = $3',
    receipts_workspace_id_mode_member_id_id_idx: 'r.member_id = w.member_id',
    receipts_workspace_id_mode_status_id_idx: 'r.status = wanted.status',
  },
  'subgraphs/commerce/src/retention.jobs.ts': {
    receipt_images_due_idx: "table: 'commerce.receipt_images', endedAt: 'delete_after'",
  },
  'subgraphs/commerce/src/stores/nearby-stores.store.ts': {
    stores_place_idx: 'latitude BETWEEN $4 AND $5',
  },
  'subgraphs/commerce/src/stores/stores.store.ts': {
    stores_workspace_id_status_id_idx: 'OR status = $2',
  },
};
