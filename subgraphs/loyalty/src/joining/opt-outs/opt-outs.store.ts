import type { Context } from '@loyalty/platform/context';

/**
 * Transactions that enrol members share the lock; the one that waits takes it exclusively, after all of
 * them. It is an advisory lock, because the members do not exist yet.
 */
export async function lockEnrolments(tx: Context, as: 'ENROLS' | 'WAITS'): Promise<void> {
  const { workspaceId, mode } = tx.scope;
  const lock = as === 'ENROLS' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await tx.sql.query(`SELECT ${lock}(hashtextextended('loyalty.enrolments:' || $1 || ':' || $2, 0))`, [
    workspaceId,
    mode,
  ]);
}
