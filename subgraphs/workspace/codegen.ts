import { subgraphCodegen } from '@loyalty/platform/codegen.mjs';

export default subgraphCodegen(import.meta.dirname, {
  Membership: '../src/team/memberships.service.ts#MembershipOfUser as MembershipRow',
  AuditEntry: '@loyalty/platform/identity/audit#AuditEntry as AuditEntryRow',
  ListExport: '@loyalty/platform/exports/exports.store#Export as ExportRow',
  Call: '../src/call-log/call-log.service.ts#LoggedCall as CallRow',
  Viewer: '@loyalty/platform/base/caller#Caller as CallerRow',
});
