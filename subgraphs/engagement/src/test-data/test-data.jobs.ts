import { purgeJob } from '@loyalty/platform/outbox/test-data';

export const purgeEngagementTestDataJob = purgeJob('engagement', [
  { table: 'engagement.suppressions', noun: 'suppressions' },
]);
