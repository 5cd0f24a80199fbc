import type { Context } from '@loyalty/platform/context';
import { publishProgress } from '@loyalty/platform/subscriptions/publish-progress';
import { getWallet, spendable } from '../credits/wallet.service.ts';
import { questions } from '../peers.ts';
import { SMALL_CHUNK_SIZE } from './bulk-job.ts';
import {
  ATTEMPTS_MAX,
  backoffSeconds,
  type ChunkOutcome,
  type ClaimedChunk,
  failedOutcome,
} from './chunk.ts';
import { countUnanswered, releaseChunk, splitChunk, writeChunk } from './chunks.store.ts';
import { BULK_JOB_NOUN, finishJob, MEMBER_CREDITS_MAX, stopJob, writingJob } from './job-stops.service.ts';

/** Returns the members of a chunk that may be analysed now, sorted by id. */
export async function membersOf(
  ctx: Context,
  { afterId, toId, onlyIds: ids, sourceCutoff: createdBy }: ClaimedChunk,
): Promise<readonly string[]> {
  const wanted = { afterId, toId, ids, createdBy };
  const answer = await ctx.services.peers.ask(ctx, 'loyalty', questions.AnalysableMembers, wanted);
  return answer._analysableMembers;
}

/**
 * Writes the outcome of a turn of a chunk, in one transaction. Members who may no longer be analysed are left
 * out. If the job was stopped or the claim was lost, nothing is written.
 *
 * @param outcomeFor - gets the members about whom results may be written
 * @param settle - books the credits in the same transaction; absent if none are charged
 */
export async function keepChunk(
  ctx: Context,
  chunk: ClaimedChunk,
  outcomeFor: (allowed: readonly string[]) => ChunkOutcome,
  settle?: (tx: Context, credits: number) => Promise<unknown>,
): Promise<void> {
  const isKept = await writingJob(ctx, async (tx) => {
    const outcome = outcomeFor(await membersOf(tx, chunk));
    if (chunk.isPart) await splitChunk(tx, chunk, chunk.toId);
    if (!(await writeChunk(tx, chunk, outcome))) return false;
    if (settle && outcome.credits > 0) await settle(tx, outcome.credits);
    publishProgress(tx, BULK_JOB_NOUN, chunk.jobId);
    return true;
  });
  if (isKept) await finishJob(ctx, chunk.jobId);
}

/** Delay until credits reserved by others are available again. */
const HELD_SECONDS = 1;

/**
 * Handles a chunk whose cost could not be reserved. If credits reserved by others may suffice, it waits for
 * them; otherwise it processes as many members as can be paid, unless they are too few for a call: then the
 * job pauses.
 *
 * @returns the part of the chunk that can be paid now, with its members; null if the chunk was released
 * @remarks Source: model API, section 7; requirement M-BLK-18
 */
export async function payablePart(
  ctx: Context,
  chunk: ClaimedChunk,
  ids: readonly string[],
): Promise<{ readonly part: ClaimedChunk; readonly ids: readonly string[] } | null> {
  ctx.forget();
  const wallet = await getWallet(ctx);
  const membersFor = (credits: bigint) => Math.floor(Number(credits) / MEMBER_CREDITS_MAX);
  const payable = membersFor(spendable(wallet));
  const payableAtMost = membersFor(spendable(wallet) + wallet.reserved);
  if (payable >= ids.length) await giveBack(ctx, chunk, 0);
  else if (chunk.isPart || payableAtMost >= ids.length) await giveBack(ctx, chunk, HELD_SECONDS);
  else if (payable >= SMALL_CHUNK_SIZE)
    return { part: { ...chunk, toId: ids[payable - 1]!, isPart: true }, ids: ids.slice(0, payable) };
  else if (payableAtMost >= SMALL_CHUNK_SIZE) await giveBack(ctx, chunk, HELD_SECONDS);
  else {
    await giveBack(ctx, chunk, 0);
    await stopJob(ctx, chunk.jobId, 'INSUFFICIENT_CREDITS');
  }
  return null;
}

/**
 * Releases a chunk, to be claimed again after some seconds. Members outside of an attempted part had no
 * attempt: they become a separate chunk.
 *
 * @param tried - number of members in the call, and the attempts of each so far. Default: no call
 */
export const giveBack = (
  ctx: Context,
  chunk: ClaimedChunk,
  afterSeconds: number,
  tried = { attempt: chunk.attempt, attempts: 0 },
): Promise<void> =>
  writingJob(ctx, async (tx) => {
    if (chunk.isPart && tried.attempts > 0) await splitChunk(tx, chunk, chunk.toId);
    await releaseChunk(tx, chunk, { afterSeconds, ...tried });
  });

/** Consecutive unanswered calls that count as an outage rather than a fault of one chunk. */
const OUTAGE_CALLS = 3;

/** Consecutive unanswered calls after which the job pauses. */
const PAUSE_CALLS = 10;

const OUTAGE_SECONDS = 2;

/**
 * Handles a chunk whose call of the model had no answer. Consecutive unanswered calls of any worker pause the
 * job. Until then an outage costs members at most two of their attempts.
 *
 * @remarks Source: model API, section 3 "Bulk job"; requirement M-BLK-12
 */
export async function waitForModel(ctx: Context, chunk: ClaimedChunk, ids: readonly string[]): Promise<void> {
  const calls = await countUnanswered(ctx, chunk);
  const isLastAttempt = chunk.attempt + 1 >= ATTEMPTS_MAX;
  if (calls >= OUTAGE_CALLS && isLastAttempt)
    await giveBack(ctx, chunk, OUTAGE_SECONDS, { attempt: chunk.attempt, attempts: ids.length });
  else await countFailure(ctx, chunk, ids, 'MODEL_SERVICE_UNAVAILABLE');
  if (calls >= PAUSE_CALLS) await stopJob(ctx, chunk.jobId, 'MODEL_SERVICE_UNAVAILABLE');
}

/** Counts a failed attempt of all members of a chunk; after the third they have failed. */
export async function countFailure(
  ctx: Context,
  chunk: ClaimedChunk,
  ids: readonly string[],
  errorCode: string,
): Promise<void> {
  const attempt = chunk.attempt + 1;
  if (attempt < ATTEMPTS_MAX)
    await giveBack(ctx, chunk, backoffSeconds(chunk.attempt), { attempt, attempts: ids.length });
  else await keepChunk(ctx, chunk, (allowed) => failedOutcome(allowed, errorCode));
}
