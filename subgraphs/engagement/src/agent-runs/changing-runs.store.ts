import type { Context, Loader } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { AgentRun, AgentRunStatus, RunKey } from './agent-run.ts';
import { type RunRow, runColumns, toRun } from './agent-runs.store.ts';

/** A claimed run. Only the worker with the latest token may write. */
export interface ClaimedAgentRun extends RunKey {
  readonly token: number;
  /** Number of claims since the last progress. */
  readonly claims: number;
}

/** A run that the transaction has locked. */
export interface LockedAgentRun extends AgentRun {
  readonly state: Buffer | null;
  readonly isMirrored: boolean;
}

/** Claims a due run. Concurrent claims get different runs. */
export async function claimRun(ctx: Context, leasedUntil: Date): Promise<ClaimedAgentRun | null> {
  const [claimed] = await ctx.sql.query<ClaimedAgentRun>(
    `/* every workspace */ UPDATE engagement.agent_runs AS r
        SET due_at = $2, token = r.token + 1, claims = r.claims + 1
       FROM (SELECT workspace_id, mode, id FROM engagement.agent_runs
              WHERE due_at <= $1 ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED) AS due
      WHERE r.workspace_id = due.workspace_id AND r.mode = due.mode AND r.id = due.id
     RETURNING r.workspace_id, r.mode, r.id, r.token, r.claims`,
    [ctx.clock.now(), leasedUntil],
  );
  return claimed ?? null;
}

/** Renews a claim. Returns false if it is lost. */
export async function extendRunClaim(
  ctx: Context,
  { id, token }: Pick<ClaimedAgentRun, 'id' | 'token'>,
  leasedUntil: Date,
): Promise<boolean> {
  const rows = await ctx.sql.query(
    `UPDATE engagement.agent_runs SET due_at = $5
      WHERE ${inScope()} AND id = $3 AND token = $4 AND ended_at IS NULL RETURNING id`,
    [...scopeOf(ctx), id, token, leasedUntil],
  );
  return rows.length > 0;
}

/**
 * Locks an active run until the transaction ends. Returns null if it has ended or is unknown.
 *
 * @param token - of a claim that must still be valid; null if no claim is needed
 */
export async function lockRun(tx: Context, id: string, token: number | null): Promise<LockedAgentRun | null> {
  const [row] = await tx.sql.query<RunRow & { state: Buffer | null; isMirrored: boolean }>(
    `SELECT ${runColumns}, r.state, r.mirrored_day IS NOT NULL AS is_mirrored
       FROM engagement.agent_runs AS r
      WHERE ${inScope('r')} AND r.id = $3 AND ($4::int IS NULL OR r.token = $4) AND r.ended_at IS NULL
        FOR UPDATE`,
    [...scopeOf(tx), id, token],
  );
  return row ? toRun(row) : null;
}

/** The progress of a run. */
export interface RunProgress {
  readonly status: AgentRunStatus;
  readonly state: Buffer;
  readonly waitingSeq?: number | null;
  /** The time of the next claim; null keeps the current claim. */
  readonly dueAt?: Date | null;
  readonly steps?: number;
  readonly tokens?: number;
  readonly usdMicros?: bigint;
  /** Ids in arguments. */
  readonly about?: readonly string[];
}

/** Writes the progress of a run that the transaction has locked. A `dueAt` ends the claim. */
export async function saveProgress(tx: Context, id: string, progress: RunProgress): Promise<void> {
  const { status, state, waitingSeq = null, dueAt = null, about = [] } = progress;
  await tx.sql.query(
    `UPDATE engagement.agent_runs AS r
        SET status = $4::engagement."AgentRunStatus", state = $5, waiting_seq = $6,
            due_at = coalesce($7::timestamptz, r.due_at),
            token = r.token + CASE WHEN $7::timestamptz IS NULL THEN 0 ELSE 1 END,
            claims = 0, steps = r.steps + $8, tokens = r.tokens + $9, usd_micros = r.usd_micros + $10::bigint,
            about = ARRAY(SELECT DISTINCT unnest(r.about || $11::uuid[]))
      WHERE ${inScope('r')} AND r.id = $3`,
    [
      ...scopeOf(tx),
      id,
      status,
      state,
      waitingSeq,
      dueAt,
      progress.steps ?? 0,
      progress.tokens ?? 0,
      String(progress.usdMicros ?? 0n),
      about,
    ],
  );
}

/** Ends a run that the transaction has locked. */
export async function markRunEnded(
  tx: Context,
  id: string,
  end: { readonly status: AgentRunStatus; readonly outcome: string; readonly answer: Buffer | null },
): Promise<void> {
  await tx.sql.query(
    `UPDATE engagement.agent_runs AS r
        SET status = $4::engagement."AgentRunStatus", outcome = $5, answer = $6, ended_at = $7, due_at = NULL,
            state = NULL, waiting_seq = NULL, token = r.token + 1
      WHERE ${inScope('r')} AND r.id = $3`,
    [...scopeOf(tx), id, end.status, end.outcome, end.answer, tx.clock.now()],
  );
}

/** Counts a mirrored call. */
export async function countMirroredCall(tx: Context, id: string): Promise<void> {
  await tx.sql.query(
    `UPDATE engagement.agent_runs AS r SET steps = r.steps + 1 WHERE ${inScope('r')} AND r.id = $3`,
    [...scopeOf(tx), id],
  );
}

/** The sealed states of active runs. */
export const sealedStates: Loader<string, Buffer> = loader(async (ctx, ids) => {
  const rows = await ctx.sql.query<{ id: string; state: Buffer }>(
    `SELECT id, state FROM engagement.agent_runs
      WHERE ${inScope()} AND id = ANY($3::uuid[]) AND state IS NOT NULL`,
    [...scopeOf(ctx), ids],
  );
  return new Map(rows.map(({ id, state }) => [id, state]));
});
