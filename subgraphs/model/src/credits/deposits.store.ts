import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageRequest, pageOf } from '@loyalty/platform/database/pages';
import { columns } from '@loyalty/prisma/columns';
import type { OpenedPayment, PaymentProvider } from './payment-port.ts';
import { ENTRY_COLUMNS } from './wallet.store.ts';

export interface Deposit {
  readonly id: string;
  readonly usdCents: number;
  readonly credits: bigint;
  readonly status: 'PENDING' | 'PAID' | 'EXPIRED';
  /** The provider's id of the payment; null until the payment has begun. */
  readonly reference: string | null;
  readonly checkoutUrl: string | null;
  readonly createdAt: Date;
  readonly closedAt: Date | null;
}

// Credits are money, which does not exist in test mode, so no statement here has a mode. The wallet's row is
// always locked after the deposit's, so that statements cannot deadlock.

const select = {
  ...columns('id', 'usdCents', 'credits', 'status', 'reference', 'checkoutUrl'),
  ...columns('createdAt', 'closedAt'),
};

export async function insertDeposit(
  ctx: Context,
  deposit: Pick<Deposit, 'id' | 'usdCents' | 'credits'>,
  provider: PaymentProvider,
): Promise<void> {
  const made = { actor: ctx.caller.actor, createdAt: ctx.clock.now() };
  await ctx.prisma.deposit.createMany({ data: [{ ...deposit, status: 'PENDING', provider, ...made }] });
}

export const findDeposit = (ctx: Context, id: string): Promise<Deposit | null> =>
  ctx.prisma.deposit.findFirst({ where: { id }, select });

/** Stores the page of the deposit; has no effect if it was paid or closed meanwhile. */
export async function keepPage(
  ctx: Context,
  id: string,
  { reference, checkoutUrl }: OpenedPayment,
): Promise<void> {
  const where = { id, status: 'PENDING' } as const;
  await ctx.prisma.deposit.updateMany({ where, data: { reference, checkoutUrl } });
}

/** Returns false if it is not pending, or already has another payment than `reference`. */
export async function closeDeposit(ctx: Context, id: string, reference: string | null): Promise<boolean> {
  const { count } = await ctx.prisma.deposit.updateMany({
    where: { id, status: 'PENDING', OR: [{ reference: null }, { reference }] },
    data: { status: 'EXPIRED', closedAt: ctx.clock.now(), checkoutUrl: null, reference },
  });
  return count > 0;
}

/**
 * Books deposit, wallet and both lines of the ledger in one statement; returns false if it was booked before,
 * or the payment does not match it.
 */
export async function bookDeposit(
  ctx: Context,
  id: string,
  payment: { readonly reference: string; readonly usdCents: number; readonly provider: PaymentProvider },
): Promise<boolean> {
  const { clock } = ctx;
  const booked = await ctx.sql.query(
    `WITH paid AS (
       UPDATE model.deposits
          SET status = 'PAID', closed_at = $6, checkout_url = NULL, reference = $3
        WHERE workspace_id = $1 AND id = $2 AND status <> 'PAID' AND usd_cents = $4
          AND provider = $5::model."PaymentProvider" AND (reference IS NULL OR reference = $3)
       RETURNING id, credits
     ), wallet AS (
       UPDATE model.wallets w SET balance = w.balance + paid.credits, sequence = w.sequence + 1
         FROM paid WHERE w.workspace_id = $1
       RETURNING w.balance, w.sequence
     )
     INSERT INTO model.credit_entries (${ENTRY_COLUMNS})
     SELECT line.id, $1, $7, 'DEPOSIT', line.account::model."CreditAccount", line.sign * paid.credits,
            CASE line.account WHEN 'WALLET' THEN wallet.balance END, wallet.sequence, 'Deposit',
            'deposit:' || paid.id, $6
       FROM paid CROSS JOIN wallet
      CROSS JOIN (VALUES ($8::uuid, 'WALLET', 1), ($9::uuid, 'DEPOSIT', -1)) AS line (id, account, sign)
     RETURNING id`,
    [
      ctx.scope.workspaceId,
      id,
      payment.reference,
      payment.usdCents,
      payment.provider,
      clock.now(),
      newId(clock),
      newId(clock),
      newId(clock),
    ],
  );
  return booked.length > 0;
}

export const depositsPage = (ctx: Context, request: PageRequest): Promise<Page<Deposit>> =>
  pageOf(ctx.prisma.deposit, request, { where: {}, select });

export const pendingDeposits = (ctx: Context, limit: number): Promise<Deposit[]> =>
  ctx.prisma.deposit.findMany({
    where: { status: 'PENDING' },
    select,
    orderBy: { id: 'desc' },
    take: limit,
  });
