import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageRequest, pageOf } from '@loyalty/platform/database/pages';
import { columns } from '@loyalty/prisma/columns';
import { ENTRY_COLUMNS } from './wallet.store.ts';

export interface ServiceQuote {
  readonly id: string;
  readonly title: string;
  readonly credits: bigint;
  readonly status: 'OPEN' | 'ACCEPTED' | 'DECLINED' | 'EXPIRED';
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly closedAt: Date | null;
}

// Credits have no mode, so no statement here has one. The wallet's row is always locked after the quote's, so
// that statements cannot deadlock. Expiry is not stored: an open quote expires at `expires_at`.

const select = columns('id', 'title', 'credits', 'status', 'createdAt', 'expiresAt', 'closedAt');

const quoteAt =
  (now: Date) =>
  (row: ServiceQuote): ServiceQuote =>
    row.status === 'OPEN' && row.expiresAt <= now ? { ...row, status: 'EXPIRED' } : row;

/** Returns false if the workspace has no wallet. */
export async function insertQuote(
  ctx: Context,
  quote: Pick<ServiceQuote, 'id' | 'title' | 'credits' | 'createdAt' | 'expiresAt'>,
): Promise<boolean> {
  const inserted = await ctx.sql.query(
    `INSERT INTO model.service_quotes (id, workspace_id, title, credits, status, created_at, expires_at)
     SELECT $2, workspace_id, $3, $4, 'OPEN', $5, $6 FROM model.wallets WHERE workspace_id = $1
     RETURNING id`,
    [ctx.scope.workspaceId, quote.id, quote.title, quote.credits, quote.createdAt, quote.expiresAt],
  );
  return inserted.length > 0;
}

export async function findQuote(ctx: Context, id: string): Promise<ServiceQuote | null> {
  const row = await ctx.prisma.serviceQuote.findFirst({ where: { id }, select });
  return row && quoteAt(ctx.clock.now())(row);
}

/**
 * Writes quote, wallet and both lines of the ledger in one statement; returns false if the quote or the
 * wallet does not allow it.
 */
export async function acceptQuote(ctx: Context, id: string): Promise<boolean> {
  const { clock } = ctx;
  const booked = await ctx.sql.query(
    `WITH quote AS (
       SELECT id, title, credits FROM model.service_quotes
        WHERE workspace_id = $1 AND id = $2 AND status = 'OPEN' AND expires_at > $3
          FOR UPDATE
     ), wallet AS (
       UPDATE model.wallets w SET balance = w.balance - quote.credits, sequence = w.sequence + 1
         FROM quote
        WHERE w.workspace_id = $1 AND w.plan = 'PAID' AND w.balance - w.reserved >= quote.credits
       RETURNING w.balance, w.sequence
     ), accepted AS (
       UPDATE model.service_quotes q SET status = 'ACCEPTED', closed_at = $3
         FROM wallet WHERE q.workspace_id = $1 AND q.id = $2
     )
     INSERT INTO model.credit_entries (${ENTRY_COLUMNS})
     SELECT line.id, $1, $4, 'SERVICE', line.account::model."CreditAccount", line.sign * quote.credits,
            CASE line.account WHEN 'WALLET' THEN wallet.balance END, wallet.sequence, quote.title,
            'quote:' || quote.id, $3
       FROM quote CROSS JOIN wallet
      CROSS JOIN (VALUES ($5::uuid, 'WALLET', -1), ($6::uuid, 'USAGE', 1)) AS line (id, account, sign)
     RETURNING id`,
    [ctx.scope.workspaceId, id, clock.now(), newId(clock), newId(clock), newId(clock)],
  );
  return booked.length > 0;
}

/** Returns false if it is not open. */
export async function declineQuote(ctx: Context, id: string): Promise<boolean> {
  const now = ctx.clock.now();
  const { count } = await ctx.prisma.serviceQuote.updateMany({
    where: { id, status: 'OPEN', expiresAt: { gt: now } },
    data: { status: 'DECLINED', closedAt: now },
  });
  return count > 0;
}

export async function quotesPage(ctx: Context, request: PageRequest): Promise<Page<ServiceQuote>> {
  const found = await pageOf(ctx.prisma.serviceQuote, request, { where: {}, select });
  return { ...found, rows: found.rows.map(quoteAt(ctx.clock.now())) };
}
