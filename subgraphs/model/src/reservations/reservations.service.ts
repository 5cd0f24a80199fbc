import { addMs, MINUTE_MS } from '@loyalty/platform/clock';
import type { Context } from '@loyalty/platform/context';
import { type AppError, conflict, invalid, notFound, paymentRequired } from '@loyalty/platform/errors';
import { newId } from '@loyalty/platform/ids';
import { getWallet, TRIAL_CREDITS, tellWalletChanged } from '../wallet/wallet.service.ts';
import type { WalletPlan } from '../wallet/wallet.store.ts';
import {
  bookUsage,
  expireHeld,
  findReservation,
  holdCredits,
  type Reservation,
  returnCredits,
} from './reservations.store.ts';

/** Longer than any paid answer takes: what is still held then belongs to a process that died. */
const RESERVATION_TTL_MS = 15 * MINUTE_MS;

/** Reservations that one statement expires at most, so that it stays far below the statement time-out. */
const EXPIRE_BATCH = 1_000;

/**
 * Sets credits aside for the most that a paid answer can cost. Settle or release it within 15 minutes, in a
 * transaction of its own: what is reserved and not kept has not stopped anybody else from spending it.
 *
 * @param what.amount - credits, at least 1
 * @param what.purpose - what the ledger will say was bought; no personal data
 * @returns the reservation's id
 * @throws AppError TRIAL_CREDITS_EXHAUSTED, SUBSCRIPTION_REQUIRED, INSUFFICIENT_CREDITS (402),
 *   VALIDATION_FAILED (400)
 * @remarks Source: model API, section 2 "Credits", rules 2 and 6; requirement M-CRD-18
 */
export async function reserveCredits(
  ctx: Context,
  what: { amount: bigint; purpose: string },
): Promise<string> {
  if (what.amount < 1n) throw invalid('amount', 'must be at least 1');
  const now = ctx.clock.now();
  const hold = {
    ...what,
    id: newId(ctx.clock),
    createdAt: now,
    expiresAt: addMs(now, RESERVATION_TTL_MS),
    trialMax: TRIAL_CREDITS,
  };
  let isHeld = await holdCredits(ctx, hold);
  if (!isHeld) {
    // Refused, or the workspace is so new that it has no wallet: reading it opens it.
    const { plan } = await getWallet(ctx);
    isHeld = await holdCredits(ctx, hold);
    if (!isHeld) throw refusals[plan]();
  }
  tellWalletChanged(ctx, ctx.scope.workspaceId);
  return hold.id;
}

const refusals: Record<WalletPlan, () => AppError> = {
  TRIAL: () =>
    paymentRequired(
      'TRIAL_CREDITS_EXHAUSTED',
      'The trial credits are used up. Ask the owner to activate paid service.',
    ),
  PAUSED: () =>
    paymentRequired('SUBSCRIPTION_REQUIRED', 'Paid service is not active. Ask the owner to activate it.'),
  PAID: () =>
    paymentRequired(
      'INSUFFICIENT_CREDITS',
      'The wallet holds too few credits. Ask the owner to add credits.',
    ),
};

/**
 * Books what a paid answer really cost and returns the rest of its reservation. Settling again changes
 * nothing and returns what the first call booked.
 *
 * @param actual - credits, 0 to the reserved amount; 0 leaves no ledger entry
 * @throws AppError RESERVATION_NOT_FOUND (404), RESERVATION_CLOSED (409) when it was released or has expired,
 *   VALIDATION_FAILED (400)
 * @remarks Source: model API, section 2 "Credits", rule 6
 */
export async function settleReservation(ctx: Context, id: string, actual: bigint): Promise<Reservation> {
  if (actual < 0n) throw invalid('actual', 'must be at least 0');
  const settled = await bookUsage(ctx, id, actual);
  if (settled) {
    tellWalletChanged(ctx, ctx.scope.workspaceId);
    return settled;
  }
  const found = await getReservation(ctx, id);
  if (found.status === 'SETTLED') return found;
  if (found.status === 'HELD')
    throw invalid('actual', `must be at most ${found.amount}, the reserved amount`);
  throw conflict(
    'RESERVATION_CLOSED',
    `The reservation is ${found.status.toLowerCase()}. Reserve again before paid work.`,
  );
}

/**
 * Returns all that a reservation set aside; one that is closed already stays as it is.
 *
 * @throws AppError RESERVATION_NOT_FOUND (404)
 * @remarks Source: model API, section 2 "Credits", rule 7
 */
export async function releaseReservation(ctx: Context, id: string): Promise<Reservation> {
  const released = await returnCredits(ctx, id);
  if (!released) return getReservation(ctx, id);
  tellWalletChanged(ctx, ctx.scope.workspaceId);
  return released;
}

/**
 * Returns what overdue reservations of all workspaces set aside. Wallets that are busy are left for the next
 * run, so it never waits and any number of workers may run it together.
 *
 * @returns how many reservations expired
 * @remarks Source: requirement M-CRD-12
 */
export async function expireReservations(ctx: Context): Promise<number> {
  let count = 0;
  for (;;) {
    const expired = await expireHeld(ctx, EXPIRE_BATCH);
    for (const workspaceId of new Set(expired)) tellWalletChanged(ctx, workspaceId);
    count += expired.length;
    if (expired.length < EXPIRE_BATCH) return count;
  }
}

async function getReservation(ctx: Context, id: string): Promise<Reservation> {
  const found = await findReservation(ctx, id);
  if (!found) throw notFound('reservation', id);
  return found;
}
