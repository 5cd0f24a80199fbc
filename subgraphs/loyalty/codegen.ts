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
    ObjectType: '../src/object-types/object-types.store.ts#ObjectType as ObjectTypeRow',
    ObjectField: '../src/object-types/object-types.store.ts#ObjectField as ObjectFieldRow',
    ObjectRecord: '../src/object-records/record-lists.service.ts#TypedRecord as ObjectRecordRow',
  },
  {
    MemberRow: ['MemberConnection'],
    CustomFieldRow: ['CustomFieldConnection'],
    CustomFieldValueRow: ['CustomFieldValueConnection'],
    PointsEntryRow: ['PointsTransactionConnection'],
    ObjectRecordRow: ['ObjectRecordConnection'],
  },
);
