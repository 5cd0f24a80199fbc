import { pruneJob, type Retention } from '@loyalty/platform/work/retention';

export const modelRetention: readonly Retention[] = [
  { table: 'model.capability_runs', endedAt: 'expires_at', days: 0 },
  // For a day the answer can say that the token has expired.
  { table: 'model.data_import_previews', endedAt: 'expires_at', days: 1 },
  // What people did is in the audit, too.
  { table: 'model.version_events', endedAt: 'created_at', days: 730 },
  { table: 'model.schedule_events', endedAt: 'created_at', days: 730 },
  // What was charged stands in the ledger.
  { table: 'model.credit_reservations', endedAt: 'closed_at', days: 'RESERVATION_DAYS' },
];

export const pruneModelJob = pruneJob('model.prune', modelRetention);
