import { purgeJob } from '@loyalty/platform/test-data';

/** What refers goes before what is referred to. */
export const purgeLoyaltyTestDataJob = purgeJob('loyalty', [
  { table: 'loyalty.points_entries', noun: 'points' },
  { table: 'loyalty.members', noun: 'members' },
]);
