import { addMs } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/database/array-parameters';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { mayBeTaken, WORKER_LOST } from '@loyalty/platform/work/lost-workers';
import { ATTEMPTS_MAX, type ClaimedRun, type JourneyRun, type NodeCount } from './run.ts';

/** Lease of a claimed run. After it, another worker may claim the run. */
const LEASE_MS = 60_000;

/**
 * Claims due runs of all workspaces. Each workspace gives at most an equal share. The index finds the next
 * workspace without reading the runs of the one before, and runs that are not due are not read. Workspaces
 * with an emergency stop are skipped. The lease has no index, so a claim updates none.
 *
 * @param maySuspect - whether a run whose worker was lost may be claimed
 */
export async function claimRuns(ctx: Context, size: number, maySuspect = true): Promise<ClaimedRun[]> {
  const now = ctx.clock.now();
  return ctx.sql.query<ClaimedRun>(
    `/* every workspace */ WITH RECURSIVE workspaces AS (
       (SELECT workspace_id, due_at FROM engagement.journey_runs WHERE due_at IS NOT NULL
         ORDER BY workspace_id, due_at LIMIT 1)
       UNION ALL
       SELECT next.workspace_id, next.due_at
         FROM workspaces AS w CROSS JOIN LATERAL (
              SELECT r.workspace_id, r.due_at FROM engagement.journey_runs AS r
               WHERE r.due_at IS NOT NULL AND r.workspace_id > w.workspace_id
               ORDER BY r.workspace_id, r.due_at LIMIT 1) AS next
     ), ready AS MATERIALIZED (
       SELECT w.workspace_id, count(*) OVER () AS workspaces FROM workspaces AS w
        WHERE w.due_at <= $1
          AND NOT EXISTS (SELECT FROM engagement.message_settings AS s
                           WHERE s.workspace_id = w.workspace_id AND s.stopped_at IS NOT NULL)
     ), due AS (
       SELECT found.*
         FROM ready CROSS JOIN LATERAL (
              SELECT r.workspace_id, r.mode, r.id, r.claims FROM engagement.journey_runs AS r
               WHERE r.workspace_id = ready.workspace_id AND r.due_at <= $1
                 AND (r.leased_until IS NULL OR r.leased_until <= $1)
               ORDER BY r.due_at LIMIT $2 / ready.workspaces + 1 FOR UPDATE SKIP LOCKED) AS found
        LIMIT $2
     )
     UPDATE engagement.journey_runs AS r SET leased_until = $3, claim = r.claim + 1, claims = r.claims + 1
       FROM due
      WHERE r.workspace_id = due.workspace_id AND r.mode = due.mode AND r.id = due.id
        AND ${mayBeTaken('due', '$4')}
     RETURNING r.workspace_id, r.mode, r.id, r.journey_id, r.version, r.claim, r.claims`,
    [now, size, addMs(now, LEASE_MS), maySuspect],
  );
}

const columns = `r.id, r.journey_id, r.version, r.member_id, r.trigger, r.status, r.node_id, r.arrived_at,
  r.step, r.due_at, r.claim, r.waits_for, r.attempts, r.sent_nodes, r.reason, r.entered_at, r.ended_at`;

/** Locks the runs that are still claimed by this worker. */
export async function lockClaimed(tx: Context, claimed: readonly ClaimedRun[]): Promise<JourneyRun[]> {
  return tx.sql.query<JourneyRun>(
    `SELECT ${columns}
       FROM engagement.journey_runs AS r
       JOIN unnest($3::uuid[], $4::int[]) AS c(id, claim) ON c.id = r.id
      WHERE ${inScope('r')} AND r.id = ANY($3::uuid[]) AND r.claim = c.claim AND r.ended_at IS NULL
      ORDER BY r.id FOR UPDATE OF r`,
    [...scopeOf(tx), claimed.map(({ id }) => id), claimed.map(({ claim }) => claim)],
  );
}

/** A run of a member, and whether a worker may be moving it. */
export interface LockedRun extends JourneyRun {
  readonly leasedUntil: Date | null;
}

/** Locks the active runs of these members in these journeys. */
export async function lockRunsOf(
  tx: Context,
  journeyIds: readonly string[],
  memberIds: readonly string[],
): Promise<LockedRun[]> {
  return tx.sql.query<LockedRun>(
    `SELECT ${columns}, r.leased_until FROM engagement.journey_runs AS r
      WHERE ${inScope('r')} AND r.journey_id = ANY($3::uuid[]) AND r.member_id = ANY($4::uuid[])
        AND r.ended_at IS NULL
      ORDER BY r.id FOR UPDATE`,
    [...scopeOf(tx), journeyIds, memberIds],
  );
}

/**
 * Ends the claims of runs that could not be moved. A run with a `dueAt` is due again then, and counts an
 * attempt. After the last attempt the run fails.
 */
export async function endClaims(
  ctx: Context,
  runs: readonly (ClaimedRun & { readonly dueAt: Date | null })[],
): Promise<void> {
  await ctx.sql.query(
    `UPDATE engagement.journey_runs AS r
        SET leased_until = NULL, claim = r.claim + 1, claims = 0,
            attempts = r.attempts + CASE WHEN g.due_at IS NULL THEN 0 ELSE 1 END,
            due_at = CASE WHEN r.attempts < $6 THEN coalesce(g.due_at, r.due_at) END,
            status = CASE WHEN r.attempts < $6 THEN r.status ELSE 'FAILED' END,
            reason = CASE WHEN r.attempts < $6 THEN r.reason ELSE 'INTERNAL_ERROR' END,
            ended_at = CASE WHEN r.attempts < $6 THEN NULL ELSE $7::timestamptz END
       FROM unnest($3::uuid[], $4::int[], $5::timestamptz[]) AS g(id, claim, due_at)
      WHERE ${inScope('r')} AND r.id = ANY($3::uuid[]) AND r.id = g.id AND r.claim = g.claim
        AND r.ended_at IS NULL`,
    [...scopeOf(ctx), ...arraysOf(runs, 'id', 'claim', 'dueAt'), ATTEMPTS_MAX, ctx.clock.now()],
  );
}

/** Fails runs whose workers were lost repeatedly: the runs may be the cause. */
export async function failRuns(ctx: Context, runs: readonly ClaimedRun[]): Promise<void> {
  if (runs.length === 0) return;
  await ctx.sql.query(
    `UPDATE engagement.journey_runs AS r
        SET leased_until = NULL, claim = r.claim + 1, due_at = NULL, status = 'FAILED', reason = $5,
            ended_at = $6
       FROM unnest($3::uuid[], $4::int[]) AS g(id, claim)
      WHERE ${inScope('r')} AND r.id = ANY($3::uuid[]) AND r.id = g.id AND r.claim = g.claim
        AND r.ended_at IS NULL`,
    [...scopeOf(ctx), runs.map(({ id }) => id), runs.map(({ claim }) => claim), WORKER_LOST, ctx.clock.now()],
  );
}

/**
 * Writes the moves of runs and the outcomes of nodes with one statement. Has no effect on a run whose claim
 * was lost. Counters are locked in a fixed order, so that two workers cannot deadlock.
 *
 * @param runs - with the claims of the caller
 */
export async function writeMoves(
  tx: Context,
  runs: readonly JourneyRun[],
  counts: readonly NodeCount[],
): Promise<void> {
  await tx.sql.query(
    `WITH moved AS (
       UPDATE engagement.journey_runs AS r
          SET status = m.status, node_id = m.node_id, arrived_at = m.arrived_at, step = m.step,
              due_at = m.due_at, waits_for = m.waits_for, attempts = m.attempts, reason = m.reason,
              sent_nodes = string_to_array(m.sent_nodes, ','), ended_at = m.ended_at, leased_until = NULL,
              claim = r.claim + 1, claims = 0
         FROM unnest($3::uuid[], $4::int[], $5::engagement."RunStatus"[], $6::text[], $7::timestamptz[],
                     $8::int[], $9::timestamptz[], $10::text[], $11::int[], $12::text[], $13::text[],
                     $14::timestamptz[])
           AS m(id, claim, status, node_id, arrived_at, step, due_at, waits_for, attempts, reason, sent_nodes,
                ended_at)
        WHERE ${inScope('r')} AND r.id = ANY($3::uuid[]) AND r.id = m.id AND r.claim = m.claim
     )
     INSERT INTO engagement.journey_node_counts AS c
            (workspace_id, mode, journey_id, version, node_id, outcome, count)
     SELECT $1, $2::platform."Mode", g.journey_id, g.version, g.node_id, g.outcome, g.count
       FROM unnest($15::uuid[], $16::int[], $17::text[], $18::text[], $19::bigint[])
         AS g(journey_id, version, node_id, outcome, count)
      ORDER BY g.journey_id, g.version, g.node_id, g.outcome
     ON CONFLICT (workspace_id, mode, journey_id, version, node_id, outcome)
       DO UPDATE SET count = c.count + excluded.count`,
    [
      ...scopeOf(tx),
      ...arraysOf(
        runs,
        'id',
        'claim',
        'status',
        'nodeId',
        'arrivedAt',
        'step',
        'dueAt',
        'waitsFor',
        'attempts',
        'reason',
      ),
      runs.map(({ sentNodes }) => sentNodes.join(',')),
      runs.map(({ endedAt }) => endedAt),
      ...arraysOf(counts, 'journeyId', 'version', 'nodeId', 'outcome', 'count'),
    ],
  );
}

/** The fields of a journey that moving runs needs. */
export interface MovingJourney {
  readonly id: string;
  readonly kind: 'JOURNEY' | 'AUTOMATION';
  readonly status: 'DRAFT' | 'ACTIVE' | 'PAUSED' | 'ENDED';
  /** The current version, which members enter. */
  readonly version: number | null;
}

/**
 * Locks the statuses of journeys until the transaction ends. The lock is shared. A change of a status takes
 * it exclusively (`lockJourneyExclusively`), and so waits for all workers that move runs. Locks are taken in
 * the order of the ids, before any lock of a run.
 */
export async function lockJourneysShared(tx: Context, ids: readonly string[]): Promise<MovingJourney[]> {
  const sorted = [...new Set(ids)].toSorted();
  await tx.sql.query(
    `SELECT pg_advisory_xact_lock_shared(hashtextextended('engagement.journey:' || $1 || $2 || j.id, 0))
       FROM unnest($3::text[]) AS j(id)`,
    [...scopeOf(tx), sorted],
  );
  // A separate statement, because it must see changes that were committed while it waited for the locks.
  return tx.sql.query<MovingJourney>(
    `SELECT id, kind, status, version FROM engagement.journeys WHERE ${inScope()} AND id = ANY($3::uuid[])`,
    [...scopeOf(tx), sorted],
  );
}

/** Locks a journey exclusively until the transaction ends: waits for all workers that move its runs. */
export async function lockJourneyExclusively(tx: Context, id: string): Promise<void> {
  await tx.sql.query(
    `SELECT pg_advisory_xact_lock(hashtextextended('engagement.journey:' || $1 || $2 || $3, 0))`,
    [...scopeOf(tx), id],
  );
}

/** Returns the time zones of members who have a profile. */
export async function timeZonesOf(
  ctx: Context,
  memberIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await ctx.sql.query<{ id: string; timeZone: string }>(
    `SELECT member_id AS id, time_zone FROM engagement.profiles
      WHERE ${inScope()} AND member_id = ANY($3::uuid[])`,
    [...scopeOf(ctx), memberIds],
  );
  return new Map(rows.map(({ id, timeZone }) => [id, timeZone]));
}
