import type { Context } from '@loyalty/platform/context';
import type { ByContract, DecisionScores } from './charges.ts';
import { releaseReservation, reserveByContract, settleReservation } from './reservations.service.ts';

/**
 * Books the actual cost of the work, once, in the transaction of the context. Returns the booked credits, 0
 * in test mode. If it fails, the work must fail.
 */
export type Settle = (ctx: Context, credits: number) => Promise<number>;

/**
 * Reserves credits for the maximum cost of the work and does the work. It settles once with the actual cost;
 * the rest is released, and all of it when the work fails. Test mode is free.
 *
 * A settlement in a transaction commits with the other writes of that transaction: the answer is saved and
 * charged, or neither. If the process dies, nothing is charged, and the reservation expires after 15 minutes.
 * If the work takes longer than that, its settlement fails with RESERVATION_CLOSED (409).
 *
 * The reservation itself is never part of the caller's transaction: otherwise the wallet would be locked for
 * all others during the work. So a transaction may do one piece of paid work, before it locks the wallet in
 * another way; if it is rolled back after the settlement, the reservation expires.
 *
 * @param most.maximum - credits, for either contract if it matters; if it is 0, nothing is reserved
 * @param most.purpose - description of the ledger entry; no personal data
 * @param most.reservationId - id by which others can release it if this process dies. Default: a new one
 * @param work - also receives the contract to charge by
 * @throws AppError TRIAL_CREDITS_EXHAUSTED, SUBSCRIPTION_REQUIRED, INSUFFICIENT_CREDITS (402), before work
 * @remarks Source: model API, section 2 "Credits", rules 6 and 7; requirements M-CRD-12, M-AUT-14
 */
export async function paidWork<T>(
  ctx: Context,
  most: {
    readonly maximum: number | ByContract;
    readonly purpose: string;
    readonly reservationId?: string;
  },
  work: (settle: Settle, contract: DecisionScores) => Promise<T>,
): Promise<T> {
  const { maximum, purpose, reservationId } = most;
  const { SEPARATE, INCLUDED } =
    typeof maximum === 'number' ? { SEPARATE: maximum, INCLUDED: maximum } : maximum;
  if (SEPARATE === 0 || ctx.scope.mode === 'TEST') return work(async () => 0, 'SEPARATE');
  const outside = ctx.isInTransaction ? ctx.outsideTransaction() : ctx;
  const amount = { SEPARATE: BigInt(SEPARATE), INCLUDED: BigInt(INCLUDED) };
  const { id, contract } = await reserveByContract(outside, { amount, purpose, id: reservationId });
  let isClosed = false;
  const settle: Settle = async (settling, credits) => {
    // The caller's own transaction commits after this function: a release would wait for it.
    if (ctx.isInTransaction) isClosed = true;
    const { settled } = await settleReservation(settling, id, BigInt(credits));
    settling.afterCommit(async () => {
      isClosed = true;
    });
    return Number(settled);
  };
  try {
    return await work(settle, contract);
  } finally {
    if (!isClosed) await release(outside, id);
  }
}

/** If the release fails, the reservation expires; the result of the work is not lost. */
async function release(ctx: Context, id: string): Promise<void> {
  try {
    await releaseReservation(ctx, id);
  } catch (error) {
    ctx.log.warn({ err: error, requestId: ctx.request.requestId }, 'reservation is left to expire');
  }
}
