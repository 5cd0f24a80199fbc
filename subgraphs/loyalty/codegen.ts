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
    Tag: '../src/tags/tags.store.ts#Tag as TagRow',
    MemberTag: '../src/tags/tags.store.ts#MemberTag as MemberTagRow',
    MemberConsent: '../src/consents/consents.store.ts#Consent as ConsentRow',
    ConsentChange: '../src/consents/consents.store.ts#ConsentChange as ConsentChangeRow',
    MemberExport: '../src/member-exports/member-exports.store.ts#MemberExport as MemberExportRow',
    MemberBatch: '../src/member-batch/member-batch.service.ts#MemberBatch as MemberBatchRow',
    MemberBatchResult: '../src/member-batch/member-batch.service.ts#RowResult as RowResultRow',
    PointsSummary: '../src/profile/profile.service.ts#PointsSummary as PointsSummaryRow',
    Tier: '../src/tiers/tiers.store.ts#Tier as TierRow',
  },
  {
    MemberRow: ['MemberConnection'],
    CustomFieldRow: ['CustomFieldConnection'],
    CustomFieldValueRow: ['CustomFieldValueConnection'],
    TagRow: ['TagConnection'],
    ConsentChangeRow: ['ConsentChangeConnection'],
    PointsEntryRow: ['PointsTransactionConnection'],
  },
);
