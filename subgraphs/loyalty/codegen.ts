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
    CouponPoolRow: ['CouponPoolConnection'],
    CouponRow: ['CouponConnection'],
    CaptureRow: ['CaptureConnection'],
  },
);
