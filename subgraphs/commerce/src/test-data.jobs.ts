import { purgeJob } from '@loyalty/platform/work/test-data';

/** Rows that refer to others are deleted first. */
export const purgeCommerceTestDataJob = purgeJob('commerce', [
  { table: 'commerce.receipt_images', noun: null },
  { table: 'commerce.receipt_fingerprints', noun: null },
  { table: 'commerce.receipts', noun: 'receipts' },
  { table: 'commerce.sales_periods', noun: null },
  { table: 'commerce.refunds', noun: 'refunds' },
  { table: 'commerce.orders', noun: 'orders' },
  { table: 'commerce.order_counts', noun: null },
  { table: 'commerce.products', noun: 'products' },
  { table: 'commerce.categories', noun: 'categories' },
  { table: 'commerce.brands', noun: 'brands' },
]);
