import type { Context } from '@loyalty/platform/context';

/**
 * Who enrols members shares the lock; whoever holds it alone has waited for all of them. Advisory, because
 * the members do not exist yet.
 */
export async function lockEnrolments(tx: Context, as: 'ENROLS' | 'WAITS'): Promise<void> {
  const { workspaceId, mode } = tx.scope;
  const lock = as === 'ENROLS' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await tx.sql.query(`SELECT ${lock}(hashtextextended('loyalty.enrolments:' || $1 || ':' || $2, 0))`, [
    workspaceId,
    mode,
  ]);
}
