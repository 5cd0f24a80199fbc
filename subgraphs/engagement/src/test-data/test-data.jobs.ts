import { purgeJob } from '@loyalty/platform/test-data';

export const purgeEngagementTestDataJob = purgeJob('engagement', [
  { table: 'engagement.suppressions', noun: 'suppressions' },
]);
