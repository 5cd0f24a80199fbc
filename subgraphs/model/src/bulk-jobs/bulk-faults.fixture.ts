import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import type { Context, Services } from '@loyalty/platform/context';
import { eventually } from '@loyalty/test/harness/eventually';
import { contextOf } from '@loyalty/test/harness/services';
import { fund, spend } from '../credits/subscriptions.fixture.ts';
import { checkLedger } from '../credits/wallet.fixture.ts';
import { getWallet } from '../credits/wallet.service.ts';
import {
  MODEL_HEADER,
  modelId,
  readRequest,
  versionOfId,
  writeAnswer,
} from '../standard-model/score-message.ts';
import { scoreMembers } from '../standard-model/score-port.ts';
import { givenJob, givenMembers, passTime, scanAll, workerContext } from './bulk-jobs.fixture.ts';
import type { ClaimedChunk } from './chunk.ts';
import { splitChunk } from './chunks.store.ts';
import { claimChunk } from './claims.store.ts';
import { writingJob } from './job-stops.service.ts';

/** Credits for the two scores of each buyer of `givenMembers`: purchase and long gap. */
export const BUYER_CREDITS = 20;

/**
 * Returns a worker whose model does not answer: its address has no server. Each worker has its own circuit.
 */
export const workerWithoutModel = (services: Services): Context =>
  workerContext(services, { MODEL_URL_SCORE: 'http://127.0.0.1:9' });

export interface SlowScorer {
  readonly url: string;
  /** Runs while a call waits for its answer; `FAILS` leaves the call unanswered. */
  during: () => Promise<'ANSWERS' | 'FAILS'>;
  /** Number of calls so far. */
  calls: number;
  close(): void;
}

/** Starts a model behind HTTP that runs `during` between each call and its answer. */
export async function slowScorer(during: SlowScorer['during']): Promise<SlowScorer> {
  const server = createServer(async (request, response) => {
    scorer.calls += 1;
    const body = await buffer(request);
    if ((await scorer.during()) === 'FAILS') return void response.writeHead(503).end();
    const version = versionOfId(request.headers[MODEL_HEADER])!;
    const answer = writeAnswer(scoreMembers(readRequest(version, body)!));
    response.setHeader(MODEL_HEADER, modelId(version)).end(answer);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const scorer: SlowScorer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    during,
    calls: 0,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return scorer;
}

/** Breaks the facts of members so that no model can score them, or repairs them. */
export const givenBroken = (ctx: Context, ids: readonly string[], isBroken = true): Promise<unknown> =>
  ctx.sql.query(
    `UPDATE model.member_statistics SET log_sum = CASE WHEN $2 THEN 'NaN' ELSE 7.6 END
      WHERE workspace_id = $1 AND member_id = ANY($3::uuid[])`,
    [ctx.scope.workspaceId, isBroken, ids],
  );

/** Activates paid service with exactly this many credits (below 10,000), booked in the ledger. */
export async function givenCredits(ctx: Context, credits: number): Promise<void> {
  const asking = contextOf(ctx.services, ctx.caller);
  const { available } = await getWallet(asking);
  await ctx.sql.query(`UPDATE model.wallets SET plan = 'PAID' WHERE workspace_id = $1`, [
    ctx.scope.workspaceId,
  ]);
  await fund(asking, 100);
  await spend(asking, Number(available) + 10_000 - credits);
}

/** Adds this many credits, below 10,000. */
export async function moreCredits(ctx: Context, credits: number): Promise<void> {
  const asking = contextOf(ctx.services, ctx.caller);
  await fund(asking, 100);
  await spend(asking, 10_000 - credits);
}

export const givenStatus = (ctx: Context, id: string, change: string): Promise<unknown> =>
  ctx.sql.query(`UPDATE loyalty.members SET ${change} WHERE workspace_id = $1 AND id = $2`, [
    ctx.scope.workspaceId,
    id,
  ]);

/** Returns the context of a system caller in the workspace of another context. */
export const systemIn = (worker: Context, { scope }: Context): Context =>
  worker.as(systemCaller('bulk-refresh', scope));

/** Claims a chunk like a worker that is killed afterwards. */
export async function claimed(worker: Context): Promise<ClaimedChunk> {
  return eventually(async () => {
    const { chunk } = await claimChunk(worker, 100);
    if (!chunk) throw new Error('No chunk is due.');
    return chunk;
  });
}

/** Divides the only chunk of a small job into chunks of `size` members. */
export async function divided(worker: Context, ctx: Context, ids: readonly string[], size: number) {
  for (let left = ids; left.length > size; left = left.slice(size)) {
    const chunk = await chunkOf(worker, left[size]!);
    await writingJob(systemIn(worker, ctx), (tx) => splitChunk(tx, chunk, left[size - 1]!));
  }
}

/** Creates a running job with this many chunks of 5 members. */
export async function givenChunks(worker: Context, ctx: Context, count: number) {
  const ids = await givenMembers(ctx, count * 5);
  const id = await givenJob(ctx);
  await scanAll(worker);
  await divided(worker, ctx, ids, 5);
  await passTime(ctx);
  return { id, ids };
}

async function chunkOf(worker: Context, memberId: string): Promise<ClaimedChunk> {
  const chunk = await claimed(worker);
  if (chunk.toId >= memberId && chunk.afterId < memberId) return chunk;
  const found = await chunkOf(worker, memberId);
  await worker.sql.query(
    `UPDATE model.bulk_chunks SET due_at = now() - interval '1 second', claims = 0
      WHERE workspace_id = $1 AND number = $2 AND token = $3`,
    [chunk.workspaceId, chunk.number, chunk.token],
  );
  return found;
}

interface Totals {
  readonly succeeded: number;
  readonly unavailable: number;
  readonly failed: number;
  readonly attempts: number;
  readonly credits: number;
}

/** Reads a job in one statement: its counters, its results, its states and its price. */
const SNAPSHOT = `WITH total AS (
    SELECT coalesce(sum(succeeded), 0)::int AS succeeded, coalesce(sum(unavailable), 0)::int AS unavailable,
           coalesce(sum(failed), 0)::int AS failed, coalesce(sum(attempts), 0)::int AS attempts,
           coalesce(sum(credits), 0)::int AS credits
      FROM model.bulk_chunks WHERE workspace_id = $1 AND job_id = $2
  ), result AS (
    SELECT r.*, s.member_id AS state_of, s.job_id AS state_by, s.source_cutoff,
           num_nonnulls(s.purchase, s.long_gap, s.cart_removal) AS scores
      FROM model.bulk_results AS r LEFT JOIN model.member_states AS s USING (workspace_id, mode, member_id)
     WHERE r.workspace_id = $1 AND r.job_id = $2
  )
  SELECT j.status, j.source_cutoff, to_jsonb(total) AS counted,
         jsonb_build_object('succeeded', j.succeeded, 'unavailable', j.unavailable, 'failed', j.failed,
           'attempts', j.attempts, 'credits', j.credits) AS kept,
         (SELECT count(*)::int FROM result WHERE status = 'SUCCEEDED') AS succeeded,
         (SELECT count(*)::int FROM result WHERE status = 'UNAVAILABLE') AS unavailable,
         (SELECT count(*)::int FROM result WHERE status = 'FAILED') AS failed,
         (SELECT coalesce(sum(attempts), 0)::int FROM result) AS result_attempts,
         (SELECT coalesce(sum(scores) * 10, 0)::int FROM result WHERE state_by = $2) AS state_credits,
         (SELECT count(*)::int FROM result
           WHERE status <> 'FAILED' AND (state_of IS NULL OR source_cutoff < j.source_cutoff)) AS "stateless",
         (SELECT count(*)::int FROM result WHERE status = 'FAILED' AND state_by = $2) AS failed_with_state,
         (SELECT count(*)::int FROM result WHERE (status = 'FAILED') <> (error_code IS NOT NULL)) AS "mute",
         (SELECT count(*)::int FROM model.member_states AS s
            LEFT JOIN model.bulk_results AS r
              ON r.workspace_id = $1 AND r.job_id = $2 AND r.mode = s.mode AND r.member_id = s.member_id
           WHERE s.workspace_id = $1 AND s.job_id = $2 AND r.member_id IS NULL) AS "unreported",
         (SELECT coalesce(sum(amount), 0)::int FROM model.credit_entries
           WHERE workspace_id = $1 AND account = 'USAGE' AND description = 'Bulk refresh') AS charged,
         (SELECT coalesce(sum(credits), 0)::int FROM model.bulk_chunks WHERE workspace_id = $1) AS priced,
         (SELECT count(*)::int FROM model.bulk_jobs AS other
           WHERE other.workspace_id = $1 AND other.mode = j.mode AND other.finished_at IS NULL) AS active,
         (SELECT count(*)::int FROM model.bulk_chunks AS c
           WHERE c.workspace_id = $1 AND c.job_id = $2 AND c.is_open) AS open
    FROM model.bulk_jobs AS j CROSS JOIN total WHERE j.workspace_id = $1 AND j.id = $2`;

interface Expected {
  /** Number of erased members: their results and states are deleted, but they stay counted. */
  readonly erased?: number;
  /** True if all states are still those of the job, so that their scores equal the charge. */
  readonly areStatesLatest?: boolean;
}

/**
 * Checks invariants: each result is counted once, each score exists and is charged once, failed members have
 * no state, and wallet and ledger agree.
 */
export async function expectSound(ctx: Context, jobId: string, expected: Expected = {}): Promise<Totals> {
  const { erased = 0, areStatesLatest = erased === 0 } = expected;
  // Right after many writes there are no statistics yet: the plan would take minutes.
  await ctx.sql.query('ANALYZE model.bulk_results, model.member_states, model.bulk_chunks');
  // biome-ignore lint/suspicious/noExplicitAny: columns of one statement
  const [found] = await ctx.sql.query<any>(SNAPSHOT, [ctx.scope.workspaceId, jobId]);
  const { counted, kept, status, ...rest } = found;
  const isEnded = !['QUEUED', 'RUNNING', 'PAUSED'].includes(status);
  if (isEnded) expect(kept).toEqual(counted);
  expect(rest).toMatchObject({ stateless: 0, failedWithState: 0, mute: 0, unreported: 0 });
  const gone = (['succeeded', 'unavailable', 'failed'] as const).map((each) => counted[each] - rest[each]);
  if (erased === 0) expect(gone).toEqual([0, 0, 0]);
  expect(Math.min(...gone)).toBeGreaterThanOrEqual(0);
  expect(gone.reduce((a, b) => a + b)).toBeLessThanOrEqual(erased);
  expect(counted.attempts).toBeGreaterThanOrEqual(rest.resultAttempts);
  expect(rest.active).toBeLessThanOrEqual(1);
  if (isEnded && status !== 'CANCELLED') expect(rest.open).toBe(0);
  if (status === 'COMPLETED') expect(counted.failed).toBe(0);
  if (status === 'COMPLETED_WITH_ERRORS') expect(counted.failed).toBeGreaterThan(0);
  expect(rest.priced).toBe(rest.charged);
  if (ctx.scope.mode === 'TEST') expect(counted.credits).toBe(0);
  else {
    if (areStatesLatest) expect(counted.credits).toBe(rest.stateCredits);
    await checkLedger(ctx.services.database.sql, ctx.scope.workspaceId);
  }
  return counted;
}
