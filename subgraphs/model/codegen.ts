import { subgraphCodegen } from '@loyalty/platform/codegen.mjs';

export default subgraphCodegen(import.meta.dirname, {
  Capability: '../src/capabilities/capabilities.service.ts#ListedCapability as CapabilityRow',
  Evidence: '../src/scoring/standard-model/standard-state.ts#EvidenceItem as EvidenceRow',
  StateSignal: '../src/scoring/standard-model/standard-state.ts#Signal as SignalRow',
  ModelVersionEvent: '../src/training/history/version-events.service.ts#VersionEvent as VersionEventRow',
  AlignmentProposalSchedule:
    '../src/alignment/proposals/proposal-schedules.store.ts#ProposalSchedule as ProposalScheduleRow',
});
