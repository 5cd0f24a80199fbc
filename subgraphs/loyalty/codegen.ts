import { subgraphCodegen } from '@loyalty/platform/codegen.mjs';

export default subgraphCodegen(
  import.meta.dirname,
  {
    Member: '../src/members/members.store.ts#Member as MemberRow',
    CustomField: '../src/custom-fields/custom-fields.store.ts#CustomField as CustomFieldRow',
    CustomFieldValue:
      '../src/custom-fields/custom-field-values.store.ts#CustomFieldValue as CustomFieldValueRow',
    PointsTransaction: '../src/points/points.store.ts#PointsEntry as PointsEntryRow',
    ActivityEntry: '../src/activity/activity.service.ts#ActivityEntry as ActivityEntryRow',
    Tier: '../src/tiers/tiers.store.ts#Tier as TierRow',
    StoreVisit: '../src/visits/visits.store.ts#StoreVisit as StoreVisitRow',
    EnrollmentForm: '../src/enrollment/enrollment-forms.store.ts#EnrollmentForm as EnrollmentFormRow',
    Enrollment: '../src/enrollment/enrollment.store.ts#Enrollment as EnrollmentRow',
    Referral: '../src/referrals/referrals.store.ts#Referral as ReferralRow',
    AmbassadorCode: '../src/ambassador/ambassador-codes.store.ts#AmbassadorCode as AmbassadorCodeRow',
    AmbassadorCandidate: '../src/ambassador/scores.store.ts#Candidate as AmbassadorCandidateRow',
    CouponPool: '../src/coupon-pools/coupon-pools.store.ts#CouponPool as CouponPoolRow',
    CouponImport: '../src/coupon-pools/coupon-stock.store.ts#CouponImport as CouponImportRow',
    CouponBatch: '../src/coupon-batches/coupon-batches.store.ts#CouponBatch as CouponBatchRow',
    Coupon: '../src/coupons/coupons.store.ts#Coupon as CouponRow',
    Capture: '../src/captures/captures.store.ts#Capture as CaptureRow',
  },
  {
    MemberRow: ['MemberConnection'],
    CustomFieldRow: ['CustomFieldConnection'],
    CustomFieldValueRow: ['CustomFieldValueConnection'],
    PointsEntryRow: ['PointsTransactionConnection'],
    StoreVisitRow: ['StoreVisitConnection'],
    EnrollmentFormRow: ['EnrollmentFormConnection'],
    AmbassadorCodeRow: ['AmbassadorCodeConnection'],
    AmbassadorCandidateRow: ['AmbassadorCandidateConnection'],
    CouponPoolRow: ['CouponPoolConnection'],
    CouponRow: ['CouponConnection'],
    CaptureRow: ['CaptureConnection'],
  },
);
