import { subgraphCodegen } from '@loyalty/platform/codegen.mjs';

export default subgraphCodegen(import.meta.dirname, {
  Capability: '../src/capabilities/capabilities.service.ts#ListedCapability as CapabilityRow',
  Evidence: '../src/standard-model/standard-state.ts#EvidenceItem as EvidenceRow',
  StateSignal: '../src/standard-model/standard-state.ts#Signal as SignalRow',
  ModelVersionEvent: '../src/versions/version-events.service.ts#VersionEvent as VersionEventRow',
  AlignmentProposalSchedule: '../src/alignment/proposals.store.ts#ProposalSchedule as ProposalScheduleRow',
});
