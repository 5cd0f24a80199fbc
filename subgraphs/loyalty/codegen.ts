import { subgraphCodegen } from '@loyalty/platform/codegen.mjs';

export default subgraphCodegen(import.meta.dirname, {
  ListExport: '@loyalty/platform/exports/exports.store#Export as ExportRow',
  MemberConsent: '../src/consents/consents.store.ts#Consent as ConsentRow',
  MemberBatchResult: '../src/member-details/member-batch.service.ts#RowResult as RowResultRow',
  ImportJob: '@loyalty/platform/imports/imports.store#Import as ImportRow',
  ImportPreview: '@loyalty/platform/imports/import-preview#ImportPreview as PreviewedImport',
  ImportFaultyRows: '@loyalty/platform/imports/faulty-rows.service#FaultyRows as ImportFaultyRowsOf',
  ImportField: '@loyalty/platform/imports/import-fields#LabelledField as LabelledImportField',
  ImportIssue: '@loyalty/platform/imports/import-cells#Issue as ImportIssueRow',
  AmbassadorCandidate: '../src/referrals/ambassador-scores.store.ts#Candidate as AmbassadorCandidateRow',
  ObjectRecord: '../src/objects/record-lists.service.ts#TypedRecord as ObjectRecordRow',
  PointsLiability: '../src/points/liability.store.ts#Liability as LiabilityRow',
});
