import { subgraphCodegen } from '@loyalty/platform/codegen.mjs';

export default subgraphCodegen(import.meta.dirname, {
  User: '../src/accounts/accounts.service.ts#User as UserRow',
  Membership: '../src/memberships/memberships.service.ts#MembershipOfUser as MembershipRow',
  Workspace: '../src/workspaces/workspaces.service.ts#Workspace as WorkspaceRow',
  TeamMember: '../src/memberships/memberships.service.ts#TeamMember as TeamMemberRow',
  Invitation: '../src/invitations/invitations.service.ts#Invitation as InvitationRow',
  ApiKey: '../src/api-keys/api-keys.service.ts#ApiKey as ApiKeyRow',
  AuditEntry: '@loyalty/platform/operations/audit#AuditEntry as AuditEntryRow',
  ListExport: '@loyalty/platform/exports/exports.store#Export as ExportRow',
  Call: '../src/call-log/call-log.service.ts#LoggedCall as CallRow',
  TestDataPurge: '../src/test-data/test-data.service.ts#TestDataPurge as TestDataPurgeRow',
  Viewer: '@loyalty/platform/caller/caller#Caller as CallerRow',
});
