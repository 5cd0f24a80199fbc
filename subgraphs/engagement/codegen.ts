import { subgraphCodegen } from '@loyalty/platform/codegen.mjs';

const conditionFields = '../src/conditions/condition-fields.service.ts';

export default subgraphCodegen(import.meta.dirname, {
  EmailProviderHealth:
    '../src/providers/email-providers/platform-provider.ts#EmailProvider as EmailProviderRow',
  JourneyRun: '../src/journey-runs/journey-runs.store.ts#ShownJourneyRun',
  JourneyNodeFigures: '../src/journeys/node-figures.ts#NodeFigures',
  Member: '../src/member-data/exported-data/referred-member.ts#ReferredMember',
  MemberSuppression: '../src/suppressions/suppressions.store.ts#SuppressionState',
  SegmentField: `${conditionFields}#ConditionField as ConditionFieldRow`,
  SegmentRecord: `${conditionFields}#ConditionObject as ConditionObjectRow`,
  TrackingEvent: '../src/tracking/tracking-feed/tracking-feed.store.ts#ShownEvent',
});
