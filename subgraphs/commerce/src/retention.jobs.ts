import { pruneJob, type Retention } from '@loyalty/platform/work/retention';

export const commerceRetention: readonly Retention[] = [
  { table: 'commerce.receipt_images', endedAt: 'delete_after', days: 0, batch: 200 },
];

export const pruneCommerceJob = pruneJob('commerce.prune', commerceRetention);
