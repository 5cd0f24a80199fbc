import { purgeJob } from '@loyalty/platform/test-data';

/** What refers goes before what is referred to. */
export const purgeLoyaltyTestDataJob = purgeJob('loyalty', [
  { table: 'loyalty.object_records', noun: 'records' },
  { table: 'loyalty.object_record_counts', noun: null },
  { table: 'loyalty.coupons', noun: 'coupons' },
  { table: 'loyalty.coupon_counts', noun: null },
  { table: 'loyalty.coupon_stocks', noun: null },
  { table: 'loyalty.coupon_batches', noun: null },
  { table: 'loyalty.captures', noun: 'captures' },
  { table: 'loyalty.referred_orders', noun: null },
  { table: 'loyalty.referrals', noun: 'referrals' },
  { table: 'loyalty.ambassador_codes', noun: 'ambassador_codes' },
  { table: 'loyalty.ambassador_scores', noun: null },
  { table: 'loyalty.enrollments', noun: null },
  { table: 'loyalty.enrollment_forms', noun: 'enrollment_forms' },
  { table: 'loyalty.store_visits', noun: 'visits' },
  { table: 'loyalty.member_exports', noun: null },
  { table: 'loyalty.consent_changes', noun: null },
  { table: 'loyalty.member_consents', noun: null },
  { table: 'loyalty.member_tags', noun: null },
  { table: 'loyalty.tags', noun: 'tags' },
  { table: 'loyalty.tier_recalculations', noun: null },
  { table: 'loyalty.bulk_awards', noun: 'bulk_awards' },
  { table: 'loyalty.point_lots', noun: null },
  { table: 'loyalty.points_entries', noun: 'points' },
  { table: 'loyalty.members', noun: 'members' },
]);
