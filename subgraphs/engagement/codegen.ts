import { subgraphCodegen } from '@loyalty/platform/codegen.mjs';

export default subgraphCodegen(import.meta.dirname, {
  EmailSuppression: '../src/suppressions/suppressions.service.ts#EmailSuppression as EmailSuppressionRow',
  EmailEngagement:
    '../src/email-engagement/email-engagement.service.ts#EmailEngagement as EmailEngagementRow',
  MemberSuppression: '../src/suppressions/suppressions.store.ts#SuppressionState',
});
