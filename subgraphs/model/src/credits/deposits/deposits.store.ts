import type { Context } from '@loyalty/platform/context';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/loading/pages';
import { newId } from '@loyalty/platform/values/ids';
import { ENTRY_COLUMNS } from '../wallet/ledger-columns.ts';
import type { OpenedPayment, PaymentProvider } from './payment-port.ts';

export interface Deposit {
  readonly id: string;
  readonly usdCents: number;
  readonly credits: bigint;
  readonly status: 'PENDING' | 'PAID' | 'EXPIRED';
  /** The provider's id of the payment; null until it was begun. */
  readonly reference: string | null;
  readonly checkoutUrl: string | null;
  readonly createdAt: Date;
  readonly closedAt: Date | null;
}

// Credits are money, which test mode does not have, so no statement here has a mode.
// The wallet's row is always locked after the deposit's, so no two statements wait for each other.

const columns = `id, usd_cents, credits, status, reference, checkout_url, created_at, closed_at`;

export async function insertDeposit(
  ctx: Context,
  deposit: { readonly id: string; readonly usdCents: number; readonly credits: bigint },
  provider: PaymentProvider,
): Promise<void> {
  await ctx.sql.query(
    `INSERT INTO model.deposits (id, workspace_id, usd_cents, credits, status, provider, actor, created_at)
     VALUES ($2, $1, $3, $4, 'PENDING', $5::model."PaymentProvider", $6, $7)`,
    [
      ctx.scope.workspaceId,
      deposit.id,
      deposit.usdCents,
      deposit.credits,
      provider,
      ctx.caller.actor,
      ctx.clock.now(),
    ],
  );
}

export async function findDeposit(ctx: Context, id: string): Promise<Deposit | null> {
  const [row] = await ctx.sql.query<Deposit>(
    `SELECT ${columns} FROM model.deposits WHERE workspace_id = $1 AND id = $2`,
    [ctx.scope.workspaceId, id],
  );
  return row ?? null;
}

/** Stores the page of the deposit; nothing changes where it was paid or closed meanwhile. */
export async function keepPage(ctx: Context, id: string, opened: OpenedPayment): Promise<void> {
  await ctx.sql.query(
    `UPDATE model.deposits SET reference = $3, checkout_url = $4
      WHERE workspace_id = $1 AND id = $2 AND status = 'PENDING'`,
    [ctx.scope.workspaceId, id, opened.reference, opened.checkoutUrl],
  );
}

/** False when it is not pending, or has another payment than `reference` already. */
export async function closeDeposit(ctx: Context, id: string, reference: string | null): Promise<boolean> {
  const closed = await ctx.sql.query(
    `UPDATE model.deposits
        SET status = 'EXPIRED', closed_at = $4, checkout_url = NULL, reference = coalesce(reference, $3)
      WHERE workspace_id = $1 AND id = $2 AND status = 'PENDING'
        AND (reference IS NULL OR reference = $3)
     RETURNING id`,
    [ctx.scope.workspaceId, id, reference, ctx.clock.now()],
  );
  return closed.length > 0;
}

/**
 * Deposit, wallet and both lines of the ledger in one statement; false when it was booked before, or the
 * payment does not fit it.
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

export async function depositsPage(ctx: Context, request: PageRequest): Promise<Page<Deposit>> {
  const { workspaceId } = ctx.scope;
  const { order, beyond } = scan(request);
  const rows = await ctx.sql.query<Deposit>(
    `SELECT ${columns} FROM model.deposits
      WHERE workspace_id = $1 AND ($2::uuid IS NULL OR id ${beyond} $2)
      ORDER BY id ${order} LIMIT $3 OFFSET $4`,
    [workspaceId, request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows, async () => {
    const [counted] = await ctx.sql.query<{ total: number }>(
      'SELECT count(*)::int AS total FROM model.deposits WHERE workspace_id = $1',
      [workspaceId],
    );
    return counted?.total ?? 0;
  });
}

export async function pendingDeposits(ctx: Context, limit: number): Promise<Deposit[]> {
  return ctx.sql.query<Deposit>(
    `SELECT ${columns} FROM model.deposits
      WHERE workspace_id = $1 AND status = 'PENDING' ORDER BY id DESC LIMIT $2`,
    [ctx.scope.workspaceId, limit],
  );
}
