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
    Program: '../src/programs/programs.store.ts#Program as ProgramRow',
    ExpiringPoints: '../src/point-lots/point-lots.store.ts#ExpiringPoints as ExpiringPointsRow',
    BulkAward: '../src/bulk-awards/bulk-awards.store.ts#BulkAward as BulkAwardRow',
    TierProgress: '../src/tier-rules/tier-progress.service.ts#TierProgress as TierProgressRow',
    TierPreview: '../src/tier-rules/tier-recalculations.service.ts#TierPreview as TierPreviewRow',
    TierPreviewLine: '../src/tier-rules/tier-recalculations.service.ts#TierPreviewLine as TierPreviewLineRow',
    TierRecalculation:
      '../src/tier-rules/tier-recalculations.store.ts#TierRecalculation as TierRecalculationRow',
  },
  {
    MemberRow: ['MemberConnection'],
    CustomFieldRow: ['CustomFieldConnection'],
    CustomFieldValueRow: ['CustomFieldValueConnection'],
    PointsEntryRow: ['PointsTransactionConnection'],
    BulkAwardRow: ['BulkAwardConnection'],
  },
);
