import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';

/** What moving runs needs of a journey. */
export interface MovingJourney {
  readonly id: string;
  readonly kind: 'JOURNEY' | 'AUTOMATION';
  readonly status: 'DRAFT' | 'ACTIVE' | 'PAUSED' | 'ENDED';
  /** The version that members enter. */
  readonly version: number | null;
}

/**
 * Keeps the journeys in their statuses until the transaction ends; others may do so, too. Who changes a
 * status takes the lock alone (`takeJourneyLock`), and so waits for everybody who moves runs. Locks are taken
 * in the order of their ids, before any lock of a run.
 */
export async function shareJourneys(tx: Context, ids: readonly string[]): Promise<MovingJourney[]> {
  const sorted = [...new Set(ids)].toSorted();
  await tx.sql.query(
    `SELECT pg_advisory_xact_lock_shared(hashtextextended('engagement.journey:' || $1 || $2 || j.id, 0))
       FROM unnest($3::text[]) AS j(id)`,
    [...scopeOf(tx), sorted],
  );
  // A statement of its own: it must see what was kept while the locks were waited for.
  return tx.sql.query<MovingJourney>(
    `SELECT id, kind, status, version FROM engagement.journeys WHERE ${inScope()} AND id = ANY($3::uuid[])`,
    [...scopeOf(tx), sorted],
  );
}

/** Waits for everybody who moves runs of the journey, and keeps others from it until the transaction ends. */
export async function takeJourneyLock(tx: Context, id: string): Promise<void> {
  await tx.sql.query(
    `SELECT pg_advisory_xact_lock(hashtextextended('engagement.journey:' || $1 || $2 || $3, 0))`,
    [...scopeOf(tx), id],
  );
}
