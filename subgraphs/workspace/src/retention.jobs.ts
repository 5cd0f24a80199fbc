import { pruneJob, type Retention } from '@loyalty/platform/work/retention';

export const workspaceRetention: readonly Retention[] = [
  { table: 'workspace.password_resets', endedAt: 'expires_at', days: 1 },
  { table: 'workspace.ended_sessions', endedAt: 'ends_at', days: 1 },
  { table: 'workspace.invitations', endedAt: 'expires_at', days: 'HISTORY_DAYS' },
  { table: 'workspace.test_data_purges', endedAt: 'finished_at', days: 'HISTORY_DAYS' },
];

export const pruneWorkspaceJob = pruneJob('workspace.prune', workspaceRetention);
