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
    ImportJob: '@loyalty/platform/imports/imports.store#Import as ImportRow',
    ImportPreview: '@loyalty/platform/imports/import-preview#ImportPreview as PreviewedImport',
    ImportIssue: '@loyalty/platform/imports/import-layout#Issue as ImportIssueRow',
    Tier: '../src/tiers/tiers.store.ts#Tier as TierRow',
  },
  {
    ImportRow: ['ImportJobConnection'],
    MemberRow: ['MemberConnection'],
    CustomFieldRow: ['CustomFieldConnection'],
    CustomFieldValueRow: ['CustomFieldValueConnection'],
    PointsEntryRow: ['PointsTransactionConnection'],
  },
);
