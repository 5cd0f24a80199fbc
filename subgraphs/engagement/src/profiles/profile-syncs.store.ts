import type { Scope } from '@loyalty/platform/base/caller';
import { NO_ID } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';

/**
 * Starts to maintain the profiles of the workspace and mode.
 *
 * @returns false if this was started before
 */
export async function startSync(ctx: Context): Promise<boolean> {
  const rows = await ctx.sql.query(
    `INSERT INTO engagement.profile_syncs (workspace_id, mode, started_at, rebuilt_to_id, rebuild_aspects)
     VALUES ($1, $2::platform."Mode", $3, $4, '{ALL}')
     ON CONFLICT (workspace_id, mode) DO NOTHING RETURNING 1`,
    [...scopeOf(ctx), ctx.clock.now(), NO_ID],
  );
  return rows.length > 0;
}

/** Starts a rebuild of these aspects. A running rebuild restarts, with its aspects and these. */
export async function restartRebuild(tx: Context, aspects: readonly string[]): Promise<void> {
  await tx.sql.query(
    `UPDATE engagement.profile_syncs AS s
        SET started_at = $3, rebuilt_to_id = $4,
            rebuild_aspects = CASE WHEN s.rebuilt_to_id IS NULL THEN $5::text[]
              ELSE ARRAY(SELECT unnest(s.rebuild_aspects) UNION SELECT unnest($5::text[])) END
      WHERE ${inScope('s')}`,
    [...scopeOf(tx), tx.clock.now(), NO_ID, aspects],
  );
}

/** @param toId - members up to this id are done; null if all members are done */
export async function moveRebuild(tx: Context, toId: string | null): Promise<void> {
  await tx.sql.query(
    `UPDATE engagement.profile_syncs
        SET rebuilt_to_id = $3::uuid, rebuilt_at = CASE WHEN $3::uuid IS NULL THEN $4 ELSE rebuilt_at END
      WHERE ${inScope()}`,
    [...scopeOf(tx), toId, tx.clock.now()],
  );
}

/** Returns workspaces and modes with pending changes or a running rebuild, the longest waiting ones first. */
export const syncsBehind = (ctx: Context): Promise<Scope[]> =>
  ctx.sql.query<Scope>(
    `/* every workspace */ SELECT s.workspace_id, s.mode
       FROM engagement.profile_syncs AS s
       LEFT JOIN LATERAL (
         SELECT c.created_at FROM engagement.profile_changes AS c
          WHERE c.workspace_id = s.workspace_id AND c.mode = s.mode ORDER BY c.id LIMIT 1) AS oldest ON true
      WHERE (s.rebuilt_to_id IS NOT NULL OR oldest.created_at IS NOT NULL)
        AND (s.due_at IS NULL OR s.due_at <= $1)
      ORDER BY least(oldest.created_at, CASE WHEN s.rebuilt_to_id IS NOT NULL THEN s.started_at END)`,
    [ctx.clock.now()],
  );

/**
 * Postpones the next attempt: by 1 s after the first failure, twice as long after each further one, at most 5
 * minutes.
 */
export async function recordFailure(ctx: Context): Promise<void> {
  await ctx.sql.query(
    `UPDATE engagement.profile_syncs
        SET failures = failures + 1,
            due_at = $3::timestamptz + least(300, 2 ^ least(failures, 9)) * interval '1 second'
      WHERE ${inScope()}`,
    [...scopeOf(ctx), ctx.clock.now()],
  );
}

/** Clears failures after a success. Writes only if there were failures. */
export async function clearFailures(ctx: Context): Promise<void> {
  await ctx.sql.query(
    `UPDATE engagement.profile_syncs SET failures = 0, due_at = NULL
      WHERE ${inScope()} AND failures > 0`,
    [...scopeOf(ctx)],
  );
}

const LOCK = `hashtextextended('engagement.profiles:' || $1 || ':' || $2, 0)`;

/** Locks the profiles and memberships of the workspace and mode until the transaction ends. */
export async function lockProfilesOf(tx: Context): Promise<void> {
  await tx.sql.query(`SELECT pg_advisory_xact_lock(${LOCK})`, [...scopeOf(tx)]);
}

/** As `lockProfilesOf`, without waiting. Returns false if another process holds the lock. */
export async function tryLockProfilesOf(tx: Context): Promise<boolean> {
  const [row] = await tx.sql.query<{ isLocked: boolean }>(
    `SELECT pg_try_advisory_xact_lock(${LOCK}) AS is_locked`,
    [...scopeOf(tx)],
  );
  return row!.isLocked;
}

/** The state of the profiles of a workspace and mode. */
export interface ProfileSync {
  readonly startedAt: Date;
  /** Members up to this id are done; null while no rebuild is running. */
  readonly rebuiltToId: string | null;
  readonly rebuildAspects: readonly string[];
  /** Null while profiles are incomplete. */
  readonly rebuiltAt: Date | null;
  /** Time of the oldest pending change; null if there is none. */
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
