import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';

const LOCK = `hashtextextended('engagement.profiles:' || $1 || ':' || $2, 0)`;

/** Locks the profiles and memberships of the workspace and mode until the transaction ends. */
export async function lockProfilesOf(tx: Context): Promise<void> {
  await tx.sql.query(`SELECT pg_advisory_xact_lock(${LOCK})`, [...scopeOf(tx)]);
}

/** As `lockProfilesOf`, without waiting; false where somebody else has the lock. */
export async function tryLockProfilesOf(tx: Context): Promise<boolean> {
  const [row] = await tx.sql.query<{ isLocked: boolean }>(
    `SELECT pg_try_advisory_xact_lock(${LOCK}) AS is_locked`,
    [...scopeOf(tx)],
  );
  return row!.isLocked;
}

/** Whether profiles are kept, and how far they are. */
export interface ProfileSync {
  readonly startedAt: Date;
  /** Null while no rebuild is under way. */
  readonly rebuiltToId: string | null;
  readonly rebuildAspects: readonly string[];
  /** Null while profiles are incomplete. */
  readonly rebuiltAt: Date | null;
  /** Of the oldest change that was not taken in; null where all were. */
  readonly changedAt: Date | null;
}

export async function findSync(ctx: Context): Promise<ProfileSync | null> {
  const [sync] = await ctx.sql.query<ProfileSync>(
    `SELECT s.started_at, s.rebuilt_to_id, s.rebuild_aspects, s.rebuilt_at,
            (SELECT c.created_at FROM engagement.profile_changes AS c
              WHERE ${inScope('c')} ORDER BY c.id LIMIT 1) AS changed_at
       FROM engagement.profile_syncs AS s WHERE ${inScope('s')}`,
    [...scopeOf(ctx)],
  );
  return sync ?? null;
}
