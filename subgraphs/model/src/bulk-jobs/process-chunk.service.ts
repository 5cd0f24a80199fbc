import { isTransient } from '@loyalty/platform/base/errors';
import { idOfName } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { whenAvailable } from '@loyalty/platform/database/when-available';
import { readAppError } from '@loyalty/platform/graph/graph-errors';
import { isGivenUp, WORKER_LOST } from '@loyalty/platform/work/lost-workers';
import { rates } from '../credits/charges.ts';
import { paidWork } from '../credits/paid-work.service.ts';
import { releaseHeld } from '../credits/reservations.service.ts';
import { cutoffAt, readMembers } from '../facts/statistics.service.ts';
import { workspaceFigures } from '../standard-model/fits.service.ts';
import { scorePortOf } from '../standard-model/score-port.ts';
import { ModelPaused } from '../standard-model/score-request.ts';
import { type StateRow, stateRow } from '../standard-model/state-row.ts';
import { type ClaimedChunk, emptyOutcome, failedOutcome, outcomeOf } from './chunk.ts';
import { countFailure, giveBack, keepChunk, membersOf, payablePart, waitForModel } from './chunks.service.ts';
import { clearUnanswered } from './chunks.store.ts';
import { MEMBER_CREDITS_MAX } from './job-stops.service.ts';

/**
 * Delay before the next turn if the database or another subgraph was unavailable or too slow; this is not an
 * attempt.
 */
const UNAVAILABLE_DELAY_SECONDS = 5;
/**
 * Delay after the circuit of this worker refused a call; this is not an attempt, and other workers may still
 * reach the model.
 */
const CIRCUIT_DELAY_SECONDS = 1;

/**
 * One turn of a chunk: reads the facts of its members at the job's cutoff, has them scored by one call of the
 * model, and writes results, states and counters together. If the job was stopped meanwhile, or another
 * worker has claimed the chunk, nothing is written and nothing is charged. Reservations of lost workers of
 * the chunk are released first; if two workers were lost with a chunk, its members have failed.
 *
 * @param ctx - a system caller, in the workspace of the chunk
 * @throws errors that do not pause the job: the chunk is retried, up to three times
 * @remarks Source: model API, section 3 "Bulk job"; requirements M-BLK-11 to M-BLK-18, M-STA-04 to M-STA-10
 */
export async function processChunk(ctx: Context, chunk: ClaimedChunk): Promise<void> {
  let ids: readonly string[] = [];
  try {
    await releaseLost(ctx, chunk);
    if (isGivenUp(chunk)) return await keepChunk(ctx, chunk, (all) => failedOutcome(all, WORKER_LOST));
    ids = await membersOf(ctx, chunk);
    await refresh(ctx, chunk, ids);
  } catch (error) {
    await postpone(ctx, chunk, ids, error);
  }
}

/** Runs a turn of the members that can be paid; the claim of the chunk stays. */
async function processPart(ctx: Context, chunk: ClaimedChunk, ids: readonly string[]): Promise<void> {
  try {
    await refresh(ctx, chunk, ids);
  } catch (error) {
    await postpone(ctx, chunk, ids, error);
  }
}

/** Returns the reservation of the claim with this token. */
const reservationOf = ({ jobId, number }: ClaimedChunk, token: number): string =>
  idOfName(`bulk chunk ${jobId} ${number} ${token}`);

/**
 * Releases the reservations of lost claims: the claims since the last progress of the chunk have consecutive
 * tokens.
 */
async function releaseLost(ctx: Context, chunk: ClaimedChunk): Promise<void> {
  const lost = Array.from({ length: chunk.claims - 1 }, (_, place) => chunk.token - 1 - place);
  if (lost.length > 0)
    await releaseHeld(
      ctx,
      lost.map((token) => reservationOf(chunk, token)),
    );
}

async function refresh(ctx: Context, chunk: ClaimedChunk, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return keepChunk(ctx, chunk, () => emptyOutcome);
  const reservationId = reservationOf(chunk, chunk.token);
  const cost = { maximum: ids.length * MEMBER_CREDITS_MAX, purpose: 'Bulk refresh', reservationId };
  await paidWork(ctx, cost, async (settle) => {
    const found = await scoredStates(ctx, ids, chunk);
    await clearUnanswered(ctx, chunk);
    const turn = { attempt: chunk.attempt, scorePrice: chunk.mode === 'TEST' ? 0 : rates.score };
    await keepChunk(ctx, chunk, (allowed) => outcomeOf(found, turn, allowed), settle);
  });
}

/** Returns the new state of each member; null if the model could not score it. */
async function scoredStates(
  ctx: Context,
  ids: readonly string[],
  { sourceCutoff, modelVersion: version }: ClaimedChunk,
): Promise<ReadonlyMap<string, StateRow | null>> {
  const cutoff = await cutoffAt(ctx, sourceCutoff);
  const [{ members, pool }, figures] = await Promise.all([
    readMembers(ctx, ids, cutoff),
    workspaceFigures(ctx),
  ]);
  const request = { members, cutoff, options: { version, pool, figures } };
  const { scores, failed } = await scorePortOf(ctx.services).score(request);
  return new Map(ids.map((id, row) => [id, failed[row] ? null : stateRow(members, scores, row, cutoff)]));
}

async function postpone(
  ctx: Context,
  chunk: ClaimedChunk,
  ids: readonly string[],
  error: unknown,
): Promise<void> {
  const refused = readAppError(error as Error, ctx);
  const { category, code } = refused;
  if (category === 'PAYMENT_REQUIRED') {
    const payable = await payablePart(ctx, chunk, ids);
    if (payable) await processPart(ctx, payable.part, payable.ids);
  } else if (error instanceof ModelPaused) await giveBack(ctx, chunk, CIRCUIT_DELAY_SECONDS);
  else if (code === 'MODEL_SERVICE_UNAVAILABLE') await waitForModel(ctx, chunk, ids);
  else if (isTransient(refused) || code === 'RESERVATION_CLOSED')
    await whenAvailable(() => giveBack(ctx, chunk, UNAVAILABLE_DELAY_SECONDS), ctx.request.signal);
  else {
    await countFailure(ctx, chunk, ids, code);
    throw error;
  }
}
