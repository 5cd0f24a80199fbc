import { purgeJob } from '@loyalty/platform/outbox/test-data';

/** What refers goes before what is referred to. */
export const purgeCommerceTestDataJob = purgeJob('commerce', [
  { table: 'commerce.receipt_images', noun: null },
  { table: 'commerce.receipt_fingerprints', noun: null },
  { table: 'commerce.receipts', noun: 'receipts' },
  { table: 'commerce.refunds', noun: 'refunds' },
  { table: 'commerce.orders', noun: 'orders' },
  { table: 'commerce.products', noun: 'products' },
  { table: 'commerce.categories', noun: 'categories' },
  { table: 'commerce.brands', noun: 'brands' },
]);
