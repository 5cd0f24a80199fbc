import { defineSubgraph } from '@loyalty/platform/graph/subgraph';
import * as accounts from './accounts/accounts.resolvers.ts';
import * as apiKeys from './api-keys/api-keys.resolvers.ts';
import * as auditLog from './audit-log/audit-log.resolvers.ts';
import * as callLog from './call-log/call-log.resolvers.ts';
import * as callStatistics from './call-log/call-statistics.resolvers.ts';
import * as errorReasons from './call-log/error-reasons/error-reasons.resolvers.ts';
import * as callers from './callers/callers.resolvers.ts';
import * as viewer from './callers/viewer.resolvers.ts';
import * as confirmations from './confirmations/confirmations.resolvers.ts';
import * as exports from './exports/exports.resolvers.ts';
import * as invitations from './invitations/invitations.resolvers.ts';
import * as memberships from './memberships/memberships.resolvers.ts';
import * as modules from './modules/modules.resolvers.ts';
import * as passwords from './passwords/passwords.resolvers.ts';
import * as registration from './registration/registration.resolvers.ts';
import * as sessions from './sessions/sessions.resolvers.ts';
import * as testData from './test-data/test-data.resolvers.ts';
import * as workspaces from './workspaces/workspaces.resolvers.ts';

/** Accounts, teams, credentials, modules and what was done with them. */
export const workspace = defineSubgraph('workspace', import.meta.dirname, [
  accounts,
  registration,
  sessions,
  passwords,
  confirmations,
  workspaces,
  memberships,
  invitations,
  apiKeys,
  modules,
  auditLog,
  exports,
  callLog,
  callStatistics,
  callers,
  testData,
  errorReasons,
  viewer,
]);
