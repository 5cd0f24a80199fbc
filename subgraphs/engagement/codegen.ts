import { subgraphCodegen } from '@loyalty/platform/codegen.mjs';

export default subgraphCodegen(import.meta.dirname, {
  EmailSuppression: '../src/suppressions/suppressions.service.ts#EmailSuppression as EmailSuppressionRow',
  MemberSuppression: '../src/suppressions/suppressions.store.ts#SuppressionState',
});
