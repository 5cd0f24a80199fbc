import { subgraphCodegen } from '@loyalty/platform/codegen.mjs';

const conditionFields = '../src/conditions/condition-fields.service.ts';

export default subgraphCodegen(import.meta.dirname, {
  EmailProviderHealth: '../src/providers/email-providers.service.ts#EmailProvider as EmailProviderRow',
  JourneyRun: '../src/journey-runs/journey-runs.store.ts#ShownJourneyRun',
  JourneyNodeFigures: '../src/journeys/node-figures.ts#NodeFigures',
  Member: '../src/member-data/member-data.service.ts#ReferredMember',
  MemberSuppression: '../src/suppressions/suppressions.store.ts#SuppressionState',
  SegmentField: `${conditionFields}#ConditionField as ConditionFieldRow`,
  SegmentRecord: `${conditionFields}#ConditionObject as ConditionObjectRow`,
  TrackingEvent: '../src/tracking/tracked-events.store.ts#ShownEvent',
});
