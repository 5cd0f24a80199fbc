import type { Context } from '@loyalty/platform/context';

/**
 * Transactions that write what a bulk job found out share the lock. The one that stops them takes it
 * exclusively: it waits for those that are writing, and the next ones see what it changed. Requests for an
 * advisory lock are served in their order, so it never waits for long.
 */
export async function lockBulkWrites(tx: Context, as: 'WRITES' | 'STOPS'): Promise<void> {
  const { workspaceId, mode } = tx.scope;
  const lock = as === 'WRITES' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await tx.sql.query(`SELECT ${lock}(hashtextextended('model.bulk_writes:' || $1 || ':' || $2, 0))`, [
    workspaceId,
    mode,
  ]);
}
