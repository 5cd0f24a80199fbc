import { pruneJob, type Retention } from './retention.ts';

const partsOf = (imports: string): string =>
  `(workspace_id, mode, import_id) IN
     (SELECT workspace_id, mode, id FROM platform.imports WHERE ${imports})`;

export const platformRetention: readonly Retention[] = [
  { table: 'platform.outbox', endedAt: 'relayed_at', days: 'OUTBOX_DAYS' },
  { table: 'platform.idempotency_keys', endedAt: 'expires_at', days: 0 },
  { table: 'platform.write_guards', endedAt: 'window_start', days: 1 },
  {
    table: 'platform.import_parts',
    condition: partsOf(`status = 'CANCELLED' AND finished_at <= $1 AND bytes = 0`),
    days: 0,
    batch: 100,
  },
  {
    // Until then, a failed or cancelled import can be started again.
    table: 'platform.import_parts',
    condition: partsOf(`status IN ('FAILED', 'CANCELLED') AND finished_at <= $1`),
    days: 'IMPORT_FILE_DAYS',
    batch: 100,
  },
  {
    // Each chunk contains up to 1,000 failed rows.
    table: 'platform.import_faulty_rows',
    condition: partsOf('finished_at <= $1'),
    days: 'IMPORT_FILE_DAYS',
    batch: 100,
  },
  { table: 'platform.exports', endedAt: 'expires_at', days: 0, batch: 10 },
  // Each import is deleted with up to 1,000 issues.
  { table: 'platform.imports', endedAt: 'finished_at', days: 'HISTORY_DAYS', batch: 50 },
];

/** Runs every minute. */
export const prunePlatformJob = pruneJob('platform.prune', platformRetention);
