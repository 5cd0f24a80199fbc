import { defineSubgraph } from '@loyalty/platform/graph/subgraph';
import * as apiKeys from './access/api-keys.resolvers.ts';
import * as callers from './access/callers.resolvers.ts';
import * as accounts from './accounts/accounts.resolvers.ts';
import * as auditLog from './audit/audit-log.resolvers.ts';
import * as callLog from './call-log/call-log.resolvers.ts';
import * as exports from './exports/exports.resolvers.ts';
import * as modules from './modules/modules.resolvers.ts';
import * as sessions from './sessions/sessions.resolvers.ts';
import * as team from './team/team.resolvers.ts';
import * as testData from './test-data/test-data.resolvers.ts';
import * as workspaces from './workspaces/workspaces.resolvers.ts';

/** Accounts, teams, credentials, modules and the logs of their use. */
export const workspace = defineSubgraph('workspace', import.meta.dirname, [
  accounts,
  sessions,
  workspaces,
  team,
  apiKeys,
  modules,
  auditLog,
  exports,
  callLog,
  callers,
  testData,
]);
