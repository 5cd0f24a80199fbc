import type { IndexesByFile } from './indexes-by-file.ts';

export const workspaceIndexes: IndexesByFile = {
  'subgraphs/workspace/src/access/api-keys.store.ts': {
    api_keys_workspace_id_created_by_id_id_idx: 'created_by_id = $4',
    api_keys_workspace_id_revoked_at_id_idx: '(revoked_at IS NOT NULL) = $3',
  },
  'subgraphs/workspace/src/call-log/call-log.store.ts': {
    call_log_unsuccessful_idx: '(status >= 400 OR reason IS NOT NULL)',
    call_log_workspace_id_request_id_idx: 'request_id = ',
    call_log_workspace_id_actor_id_idx: 'actor = w.actor',
  },
  'subgraphs/workspace/src/team/invitations.store.ts': {
    invitations_workspace_id_id_idx: 'WHERE workspace_id = $1 AND ($2::uuid IS NULL OR id',
  },
  'subgraphs/workspace/src/team/memberships.store.ts': {
    memberships_account_id_created_at_idx: 'WHERE account_id = ANY($1::uuid[]) ORDER BY created_at',
  },
  'subgraphs/workspace/src/sessions/sessions.store.ts': {
    password_resets_account_id_idx: 'WHERE account_id = $1 AND used_at IS NULL',
  },
  'subgraphs/workspace/src/retention.jobs.ts': {
    ended_sessions_ends_at_idx: "table: 'workspace.ended_sessions', endedAt: 'ends_at'",
    invitations_expires_at_idx: "table: 'workspace.invitations', endedAt: 'expires_at'",
    password_resets_expires_at_idx: "table: 'workspace.password_resets', endedAt: 'expires_at'",
    test_data_purges_finished_idx: "table: 'workspace.test_data_purges', endedAt: 'finished_at'",
  },
};
