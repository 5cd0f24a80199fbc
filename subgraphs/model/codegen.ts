import { subgraphCodegen } from '@loyalty/platform/codegen.mjs';

export default subgraphCodegen(
  import.meta.dirname,
  {
    Wallet: '../src/wallet/wallet.store.ts#Wallet as WalletRow',
    MemberPredictions:
      '../src/member-predictions/member-predictions.service.ts#MemberPredictions as MemberPredictionsRow',
    Deposit: '../src/deposits/deposits.store.ts#Deposit as DepositRow',
    ServiceQuote: '../src/service-quotes/service-quotes.store.ts#ServiceQuote as ServiceQuoteRow',
    DataImports: '../src/data-imports/data-imports.service.ts#DataImports as DataImportsRow',
    DataImportPreview:
      '../src/data-imports/data-imports.service.ts#DataImportPreview as DataImportPreviewRow',
    MemberMapping: '../src/member-mappings/member-mappings.store.ts#MemberMapping as MemberMappingRow',
    CreditEntry: '../src/wallet/wallet.store.ts#CreditEntry as CreditEntryRow',
    Analysis: '../src/analyses/analyses.store.ts#Analysis as AnalysisRow',
    Capability: '../src/capabilities/capabilities.service.ts#ListedCapability as CapabilityRow',
    CapabilityResult: '../src/capabilities/capability-result.ts#CapabilityResult as CapabilityResultRow',
    ResultEnvelope: '../src/capabilities/capability-result.ts#ResultEnvelope as ResultEnvelopeRow',
    CapabilityBatch: '../src/capabilities/capability-batch.service.ts#CapabilityBatch as CapabilityBatchRow',
    CapabilityBatchItem:
      '../src/capabilities/capability-batch.service.ts#CapabilityBatchItem as CapabilityBatchItemRow',
    Evidence: '../src/standard-model/score.ts#EvidenceItem as EvidenceRow',
    StateSignal: '../src/standard-model/score.ts#Signal as SignalRow',
    MemberState: '../src/member-states/member-states.service.ts#MemberState as MemberStateRow',
  },
  {
    AnalysisRow: ['AnalysisConnection'],
    CreditEntryRow: ['CreditEntryConnection'],
    DepositRow: ['DepositConnection'],
    ServiceQuoteRow: ['ServiceQuoteConnection'],
  },
);
