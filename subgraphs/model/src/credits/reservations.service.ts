import { addMs, MINUTE_MS } from '@loyalty/platform/base/clock';
import { conflict, invalid, notFound } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import { atLeast, atMost } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { batched } from '@loyalty/platform/database/batched';
import type { DecisionScores } from './charges.ts';
import {
  type Closing,
  closeHeld,
  expireHeld,
  findReservation,
  type Held,
  type Hold,
  holdCredits,
  type Reservation,
} from './reservations.store.ts';
import { openWallet, publishWalletChanged, refusalOf, TRIAL_CREDITS } from './wallet.service.ts';

/** Longer than any paid answer takes: an older reservation belongs to a process that died. */
const RESERVATION_TTL_MS = 15 * MINUTE_MS;

/** Reservations that one statement expires, so that it takes far less than the statement timeout. */
const EXPIRE_BATCH = 1_000;

/** Maximum credits of one reservation: no answer costs that much, and sums stay far below 64 bits. */
const RESERVATION_MAX = 1_000_000_000_000n;

const hold = batched(async (ctx, holds: readonly Hold[]): Promise<readonly (Held | undefined)[]> => {
  const createdAt = ctx.clock.now();
  const expiresAt = addMs(createdAt, RESERVATION_TTL_MS);
  const held = await holdCredits(ctx, holds, { createdAt, expiresAt, trialMax: TRIAL_CREDITS });
  if (held.some(({ isHeld }) => isHeld)) publishWalletChanged(ctx, ctx.scope.workspaceId);
  return holds.map((_, index) => held[index]);
});

const close = batched(async (ctx, closings: readonly Closing[]): Promise<(Reservation | undefined)[]> => {
  const closed = new Map((await closeHeld(ctx, closings)).map((each) => [each.id, each]));
  if (closed.size > 0) publishWalletChanged(ctx, ctx.scope.workspaceId);
  return closings.map(({ id }) => closed.get(id));
});

/**
 * Reserves credits for the maximum cost of a paid answer. Settle or release them within 15 minutes. Reserve
 * outside of the caller's transaction: an uncommitted reservation does not prevent others from spending the
 * credits.
 *
 * @param what.amount - credits, at least 1
 * @param what.purpose - description of the ledger entry; no personal data
 * @returns the reservation's id
 * @throws AppError TRIAL_CREDITS_EXHAUSTED, SUBSCRIPTION_REQUIRED, INSUFFICIENT_CREDITS (402),
 *   VALIDATION_FAILED (400)
 * @remarks Source: model API, section 2 "Credits", rules 2 and 6; requirement M-CRD-18
 */
export async function reserveCredits(
  ctx: Context,
  what: { amount: bigint; purpose: string },
): Promise<string> {
  const { amount, purpose } = what;
  return (await reserveByContract(ctx, { amount: { SEPARATE: amount, INCLUDED: amount }, purpose })).id;
}

/**
 * Like `reserveCredits`, for work whose maximum depends on the paid contract; the contract is read from the
 * locked wallet.
 *
 * @param what.amount - credits under either contract, each at least 1
 * @param what.id - of the reservation. Default: a new one
 * @returns the reservation's id and the contract to charge by
 */
export async function reserveByContract(
  ctx: Context,
  what: { amount: Readonly<Record<DecisionScores, bigint>>; purpose: string; id?: string | undefined },
): Promise<{ id: string; contract: DecisionScores }> {
  const { SEPARATE: separate, INCLUDED: included } = what.amount;
  if (separate < 1n || included < 1n) throw invalid('amount', atLeast(1));
  if (separate > RESERVATION_MAX || included > RESERVATION_MAX) {
    throw invalid('amount', atMost(RESERVATION_MAX));
  }
  const asked = { id: what.id ?? newId(ctx.clock), separate, included, purpose: what.purpose };
  let held = await hold(ctx, asked);
  if (!held) {
    // A new workspace may have no wallet yet.
    await openWallet(ctx, ctx.scope.workspaceId);
    held = (await hold(ctx, asked))!;
  }
  if (!held.isHeld) throw refusalOf(held.plan);
  return { id: asked.id, contract: held.decisionScores };
}

/**
 * Books the actual cost of a paid answer and releases the rest of its reservation. A repeated call has no
 * effect and returns the amount that the first call booked.
 *
 * @param actual - credits, 0 to the reserved amount; 0 leaves no ledger entry
 * @throws AppError RESERVATION_NOT_FOUND (404), RESERVATION_CLOSED (409) if it was released or has expired,
 *   VALIDATION_FAILED (400)
 * @remarks Source: model API, section 2 "Credits", rule 6
 */
export async function settleReservation(ctx: Context, id: string, actual: bigint): Promise<Reservation> {
  if (actual < 0n) throw invalid('actual', atLeast(0));
  if (actual > RESERVATION_MAX) throw invalid('actual', atMost(RESERVATION_MAX));
  const found = (await close(ctx, { id, used: actual })) ?? (await getReservation(ctx, id));
  if (found.status === 'SETTLED') return found;
  if (found.status === 'HELD')
    throw invalid('actual', `must be at most ${found.amount}, the reserved amount`);
  throw conflict(
    'RESERVATION_CLOSED',
    `The reservation is ${found.status.toLowerCase()}. Reserve again before paid work.`,
  );
}

/**
 * Releases all credits of a reservation; has no effect on a closed one.
 *
 * @throws AppError RESERVATION_NOT_FOUND (404)
 * @remarks Source: model API, section 2 "Credits", rule 7
 */
export async function releaseReservation(ctx: Context, id: string): Promise<Reservation> {
  return (await close(ctx, { id, used: null })) ?? getReservation(ctx, id);
}

/** Releases the held ones of these reservations; has no effect on others and on unknown ids. */
export async function releaseHeld(ctx: Context, ids: readonly string[]): Promise<void> {
  const closings = ids.map((id) => ({ id, used: null }));
  if ((await closeHeld(ctx, closings)).length > 0) publishWalletChanged(ctx, ctx.scope.workspaceId);
}

/**
 * Releases the credits of overdue reservations of all workspaces. Locked wallets are left for the next run,
 * so it never waits and any number of workers may run it concurrently.
 *
 * @returns the number of expired reservations
 * @remarks Source: requirement M-CRD-12
 */
export async function expireReservations(ctx: Context): Promise<number> {
  let count = 0;
  for (;;) {
    const expired = await expireHeld(ctx, EXPIRE_BATCH);
    for (const workspaceId of new Set(expired)) publishWalletChanged(ctx, workspaceId);
    count += expired.length;
    if (expired.length < EXPIRE_BATCH) return count;
  }
}

async function getReservation(ctx: Context, id: string): Promise<Reservation> {
  const found = await findReservation(ctx, id);
  if (!found) throw notFound('reservation', id);
  return found;
}
