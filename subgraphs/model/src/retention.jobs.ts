import { pruneJob, type Retention } from '@loyalty/platform/work/retention';

export const modelRetention: readonly Retention[] = [
  { table: 'model.capability_runs', endedAt: 'expires_at', days: 0 },
  // Kept for a day so that the answer can be that the token has expired.
  { table: 'model.data_import_previews', endedAt: 'expires_at', days: 1 },
  // Acts of people are in the audit, too.
  { table: 'model.version_events', endedAt: 'created_at', days: 730 },
  { table: 'model.schedule_events', endedAt: 'created_at', days: 730 },
  // Charges are in the ledger.
  { table: 'model.credit_reservations', endedAt: 'closed_at', days: 'RESERVATION_DAYS' },
];

export const pruneModelJob = pruneJob('model.prune', modelRetention);
