import { systemCaller } from '@loyalty/platform/base/caller';
import { conflict, invalid, unavailable } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import { between } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import { audit } from '@loyalty/platform/identity/audit';
import { once } from '@loyalty/platform/identity/idempotency';
import { CREDITS_PER_USD_CENT } from './charges.ts';
import {
  bookDeposit,
  closeDeposit,
  type Deposit,
  depositsPage,
  findDeposit,
  insertDeposit,
  keepPage,
  pendingDeposits,
} from './deposits.store.ts';
import type { OpenedPayment, PaymentEvent, PaymentPort } from './payment-port.ts';
import { paymentPort } from './payment-provider.ts';
import { getWallet, publishWalletChanged } from './wallet.service.ts';
import type { Wallet } from './wallet.store.ts';

const USD_CENTS_MIN = 100;
const USD_CENTS_MAX = 1_000_000;

/** The most open payment pages of an owner. */
const OPEN_MAX = 20;

/**
 * Begins a deposit. If the provider takes the payment on its own page, the deposit waits for it in
 * `listOpenDeposits`, and the wallet changes when the provider reports the payment. No transaction is open
 * while the provider is called. An Idempotency-Key belongs to one deposit, whose page is opened once.
 *
 * @param usdCents - 100 to 1,000,000; each buys 100 credits
 * @returns the wallet after the call
 * @throws AppError VALIDATION_FAILED (400), DEPOSIT_CLOSED (409) for the Idempotency-Key of a deposit that is
 *   over, PAYMENTS_NOT_CONFIGURED, PAYMENTS_UNAVAILABLE (503)
 * @remarks Source: model API, section 2 "Credits", rules 1 and 3; requirements M-CRD-01, M-CRD-04
 */
export async function depositCredits(ctx: Context, usdCents: number): Promise<Wallet> {
  if (usdCents < USD_CENTS_MIN || usdCents > USD_CENTS_MAX)
    throw invalid('usdCents', between(USD_CENTS_MIN, USD_CENTS_MAX));
  const port = await paymentPort(ctx.services.config);
  // The wallet must exist before any booking.
  await getWallet(ctx);
  const id = await once(ctx, 'depositCredits', { usdCents }, (tx) => beginDeposit(tx, usdCents, port));
  const deposit = (await findDeposit(ctx, id))!;
  if (deposit.status === 'EXPIRED')
    throw conflict('DEPOSIT_CLOSED', 'This deposit is over. Deposit again under a new Idempotency-Key.');
  if (deposit.status === 'PENDING' && deposit.reference === null) await takePayment(ctx, deposit, port);
  ctx.forget();
  return getWallet(ctx);
}

function beginDeposit(ctx: Context, usdCents: number, { provider }: PaymentPort): Promise<string> {
  const id = newId(ctx.clock);
  const credits = BigInt(usdCents) * BigInt(CREDITS_PER_USD_CENT);
  return ctx.transaction(async (tx) => {
    await insertDeposit(tx, { id, usdCents, credits }, provider);
    const after = { usdCents, provider };
    await audit(tx, { action: 'depositCredits', resourceType: 'Deposit', resourceId: id, after });
    return id;
  });
}

async function takePayment(ctx: Context, deposit: Deposit, port: PaymentPort): Promise<void> {
  const { id, usdCents } = deposit;
  const { provider } = port;
  const opened = await openPayment(ctx, deposit, port);
  if (!opened.isPaid) await keepPage(ctx, id, opened);
  else if (await bookDeposit(ctx, id, { reference: opened.reference, usdCents, provider }))
    publishWalletChanged(ctx, ctx.scope.workspaceId);
}

async function openPayment(ctx: Context, deposit: Deposit, port: PaymentPort): Promise<OpenedPayment> {
  try {
    return await port.open({ ...deposit, workspaceId: ctx.scope.workspaceId });
  } catch (error) {
    // The error's other fields are not logged: the provider repeats our input in them.
    const { type, code, statusCode } = error as { type?: string; code?: string; statusCode?: number };
    const { requestId } = ctx.request;
    ctx.log.warn(
      { depositId: deposit.id, type, code, statusCode, requestId },
      'the payment page cannot be opened',
    );
    await closeDeposit(ctx, deposit.id, null);
    throw unavailable(
      'PAYMENTS_UNAVAILABLE',
      'The payment provider does not answer; nothing was charged. Deposit again in a while.',
      30,
    );
  }
}

/**
 * Receives an event of the payment provider. A payment is booked once, even if its events arrive repeatedly
 * or in any order. A payment for an expired page is booked, too, because the money was taken. An event that
 * does not match a deposit, in amount, currency or id, has no effect.
 *
 * @param payload - the unparsed body
 * @throws AppError SIGNATURE_INVALID (400), PAYMENTS_NOT_CONFIGURED (503)
 * @remarks Source: model API, section 2 "Credits", rule 3; requirement M-CRD-04
 */
export async function receivePaymentEvent(ctx: Context, payload: string, signature: string): Promise<void> {
  const port = await paymentPort(ctx.services.config);
  const event = port.verify(payload, signature, ctx.clock.now());
  if (!event) return;
  const { workspaceId, depositId, reference } = event;
  const own = ctx.as(systemCaller('payments', { workspaceId, mode: 'LIVE' }));
  if (event.outcome === 'PAID') await bookPayment(own, event);
  else await closeDeposit(own, depositId, reference);
}

async function bookPayment(ctx: Context, event: PaymentEvent): Promise<void> {
  const { depositId, reference, amount, currency, workspaceId } = event;
  const fits = amount !== null && currency === 'usd';
  const payment = { reference, usdCents: amount ?? 0, provider: 'STRIPE' } as const;
  if (fits && (await bookDeposit(ctx, depositId, payment))) {
    publishWalletChanged(ctx, workspaceId);
    return;
  }
  const found = await findDeposit(ctx, depositId);
  if (found?.status === 'PAID' && found.reference === reference) return;
  const { requestId } = ctx.request;
  ctx.log.error({ depositId, workspaceId, requestId }, 'a payment fits no deposit and was not booked');
}

/**
 * Returns deposits of the workspace, newest first.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 */
export async function listDeposits(ctx: Context, args: PageArgs): Promise<Page<Deposit>> {
  return depositsPage(ctx, pageRequest(args));
}

/** Returns the 20 newest deposits that wait for their payment, newest first. */
export async function listOpenDeposits(ctx: Context): Promise<Deposit[]> {
  return pendingDeposits(ctx, OPEN_MAX);
}

/** Returns the payment page of a deposit, for callers who may pay it. */
export const checkoutUrlFor = ({ caller }: Context, { checkoutUrl }: Deposit): string | null =>
  caller.kind === 'USER' && caller.role === 'OWNER' ? checkoutUrl : null;
