import { subgraphCodegen } from '@loyalty/platform/codegen.mjs';

export default subgraphCodegen(import.meta.dirname, {
  Wallet: '../src/credits/wallet/wallet.store.ts#Wallet as WalletRow',
  MemberPredictions:
    '../src/scoring/member-predictions/member-predictions.service.ts' +
    '#MemberPredictions as MemberPredictionsRow',
  Deposit: '../src/credits/deposits/deposits.store.ts#Deposit as DepositRow',
  ServiceQuote: '../src/credits/service-quotes/service-quotes.store.ts#ServiceQuote as ServiceQuoteRow',
  DataImports: '../src/facts/data-imports/data-imports.service.ts#DataImports as DataImportsRow',
  DataImportPreview:
    '../src/facts/data-imports/data-imports.service.ts#DataImportPreview as DataImportPreviewRow',
  MemberMapping: '../src/facts/member-mappings/member-mappings.store.ts#MemberMapping as MemberMappingRow',
  CreditEntry: '../src/credits/wallet/wallet.store.ts#CreditEntry as CreditEntryRow',
  Analysis: '../src/answers/analyses/analyses.store.ts#Analysis as AnalysisRow',
  Capability: '../src/answers/capabilities/capabilities.service.ts#ListedCapability as CapabilityRow',
  CapabilityResult:
    '../src/answers/capabilities/capability-result.ts#CapabilityResult as CapabilityResultRow',
  ResultEnvelope: '../src/answers/capabilities/capability-result.ts#ResultEnvelope as ResultEnvelopeRow',
  CapabilityBatch:
    '../src/answers/capabilities/capability-batch.service.ts#CapabilityBatch as CapabilityBatchRow',
  CapabilityBatchItem:
    '../src/answers/capabilities/capability-batch.service.ts#CapabilityBatchItem as CapabilityBatchItemRow',
  Evidence: '../src/scoring/standard-model/standard-state.ts#EvidenceItem as EvidenceRow',
  StateSignal: '../src/scoring/standard-model/standard-state.ts#Signal as SignalRow',
  MemberState: '../src/answers/member-states/member-states.service.ts#MemberState as MemberStateRow',
  MemberStatePage: '../src/answers/member-states/member-states.service.ts#MemberStatePage as StatePageRow',
  BulkJob: '../src/bulk-jobs/jobs/bulk-job.ts#BulkJob as BulkJobRow',
  BulkResult: '../src/bulk-jobs/results/bulk-results.store.ts#BulkResult as BulkResultRow',
  BulkResultPage: '../src/bulk-jobs/results/bulk-results.service.ts#BulkResultPage as ResultPageRow',
  TrainingSchedule: '../src/schedules/schedules/schedule.ts#TrainingSchedule as TrainingScheduleRow',
  ScheduleLogEntry: '../src/schedules/schedules/schedule.ts#ScheduleLogEntry as ScheduleLogEntryRow',
  ModelVersion: '../src/training/versions/model-version.ts#ModelVersion as ModelVersionRow',
  ModelVersionEvent: '../src/training/history/version-events.service.ts#VersionEvent as VersionEventRow',
  EvaluationReport: '../src/training/reports/report.ts#EvaluationReport as EvaluationReportRow',
  ReportEvaluation: '../src/training/reports/report.ts#ReportEvaluation as ReportEvaluationRow',
  ReviewSeparation:
    '../src/training/reviews/review-separation.service.ts#ReviewSeparation as ReviewSeparationRow',
  AlignmentCheck: '../src/alignment/staleness/alignment-checks.store.ts#AlignmentCheck as AlignmentCheckRow',
  AlignmentNotice: '../src/alignment/proposals/proposals.store.ts#AlignmentNotice as AlignmentNoticeRow',
  AlignmentProposalSchedule:
    '../src/alignment/proposals/proposal-schedules.store.ts#ProposalSchedule as ProposalScheduleRow',
  AlignmentInference:
    '../src/alignment/inference/alignment-inference.service.ts#AlignmentInference as AlignmentInferenceRow',
  ModelCard: '../src/training/cards/model-card.ts#ModelCard as ModelCardRow',
  VersionDifference:
    '../src/training/reviews/differences.service.ts#VersionDifference as VersionDifferenceRow',
  MetricDifference: '../src/training/reviews/differences.service.ts#MetricDifference as MetricDifferenceRow',
  WeightDifference: '../src/training/reviews/differences.service.ts#WeightDifference as WeightDifferenceRow',
  TrainingInference:
    '../src/training/inference/inference.service.ts#TrainingInference as TrainingInferenceRow',
});
