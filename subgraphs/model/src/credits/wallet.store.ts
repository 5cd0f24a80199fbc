import { newId } from '@loyalty/platform/base/ids';
import { dayOf } from '@loyalty/platform/base/quarter-hours';
import type { Context } from '@loyalty/platform/context';
import type { DayRange } from '@loyalty/platform/database/day-range';
import { loader } from '@loyalty/platform/database/loaders';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/database/pages';
import type { DecisionScores } from './charges.ts';

/** Columns of a ledger line, in the order of every statement that books credits. */
export const ENTRY_COLUMNS = `id, workspace_id, transaction_id, kind, account, amount, balance_after,
       sequence, description, reference, created_at`;

export type WalletPlan = 'TRIAL' | 'PAID' | 'PAUSED';

/** Amounts in credits. */
export interface Wallet {
  /** The workspace's id. */
  readonly id: string;
  readonly balance: bigint;
  readonly reserved: bigint;
  readonly available: bigint;
  readonly trialUsed: bigint;
  readonly plan: WalletPlan;
  /** Decision scores of the paid contract. */
  readonly decisionScores: DecisionScores;
}

/** The wallet's side of a ledger transaction. */
export interface CreditEntry {
  readonly id: string;
  readonly kind: 'TRIAL_GIFT' | 'DEPOSIT' | 'USAGE' | 'REFUND' | 'SUBSCRIPTION' | 'SERVICE';
  readonly amount: bigint;
  readonly balanceAfter: bigint;
  readonly description: string;
  readonly createdAt: Date;
}

// Credits are money, which does not exist in test mode, so no statement here has a mode.

/** Batched: a list of members reads the wallet once. */
export const ownWallet = loader(async (ctx, workspaceIds: readonly string[]) => {
  const wallet = workspaceIds.includes(ctx.scope.workspaceId) ? await findWallet(ctx) : null;
  return new Map(wallet ? [[wallet.id, wallet]] : []);
});

export async function findWallet(ctx: Context): Promise<Wallet | null> {
  const [row] = await ctx.sql.query<Wallet>(
    `SELECT workspace_id AS id, balance, reserved, balance - reserved AS available, trial_used, plan,
            decision_scores
       FROM model.wallets WHERE workspace_id = $1`,
    [ctx.scope.workspaceId],
  );
  return row ?? null;
}

/**
 * Inserts the wallet and both lines of its gift in one statement; returns false if there is a wallet already.
 *
 * @param gift - credits
 */
export async function insertWallet(ctx: Context, workspaceId: string, gift: bigint): Promise<boolean> {
  const { clock } = ctx;
  const lines = await ctx.sql.query(
    `WITH opened AS (
       INSERT INTO model.wallets (workspace_id, balance, plan, sequence, created_at)
       VALUES ($1, $2::int8, 'TRIAL', 1, $6)
       ON CONFLICT (workspace_id) DO NOTHING
       RETURNING workspace_id
     )
     INSERT INTO model.credit_entries (${ENTRY_COLUMNS})
     SELECT line.id, $1, $5, 'TRIAL_GIFT', line.account::model."CreditAccount", line.amount,
            line.balance_after, 1, 'Trial gift', 'trial-gift', $6
       FROM opened
      CROSS JOIN (VALUES ($3::uuid, 'WALLET', $2, $2), ($4::uuid, 'PROMOTION', -$2, NULL::int8))
              AS line (id, account, amount, balance_after)
     RETURNING id`,
    [workspaceId, gift, newId(clock), newId(clock), newId(clock), clock.now()],
  );
  return lines.length > 0;
}

/** Inserts a wallet without its gift; returns false if there is a wallet already. */
export async function insertEmptyWallet(ctx: Context, workspaceId: string): Promise<boolean> {
  const rows = await ctx.sql.query(
    `INSERT INTO model.wallets (workspace_id, balance, plan, sequence, created_at)
     VALUES ($1, 0, 'TRIAL', 0, $2) ON CONFLICT (workspace_id) DO NOTHING RETURNING 1`,
    [workspaceId, ctx.clock.now()],
  );
  return rows.length > 0;
}

/**
 * Books the gift into a wallet that was opened without it; returns false if it was booked before. Of two
 * concurrent bookings the reference's unique index refuses one.
 *
 * @param gift - credits
 */
export async function bookTrialGift(ctx: Context, workspaceId: string, gift: bigint): Promise<boolean> {
  const { clock } = ctx;
  const lines = await ctx.sql.query(
    `WITH wallet AS (
       UPDATE model.wallets w SET balance = w.balance + $2::int8, sequence = w.sequence + 1
        WHERE w.workspace_id = $1
          AND NOT EXISTS (SELECT 1 FROM model.credit_entries e
                           WHERE e.workspace_id = $1 AND e.account = 'WALLET' AND e.reference = 'trial-gift')
       RETURNING w.balance, w.sequence
     )
     INSERT INTO model.credit_entries (${ENTRY_COLUMNS})
     SELECT line.id, $1, $5, 'TRIAL_GIFT', line.account::model."CreditAccount", line.sign * $2::int8,
            CASE line.account WHEN 'WALLET' THEN wallet.balance END, wallet.sequence, 'Trial gift',
            'trial-gift', $6
       FROM wallet
      CROSS JOIN (VALUES ($3::uuid, 'WALLET', 1), ($4::uuid, 'PROMOTION', -1)) AS line (id, account, sign)
     RETURNING id`,
    [workspaceId, gift, newId(clock), newId(clock), newId(clock), clock.now()],
  );
  return lines.length > 0;
}

/** Returns the former contract; null if the workspace has no wallet. */
export async function updateDecisionScores(
  ctx: Context,
  contract: DecisionScores,
): Promise<DecisionScores | null> {
  const [row] = await ctx.sql.query<{ before: DecisionScores }>(
    `WITH former AS (SELECT decision_scores FROM model.wallets WHERE workspace_id = $1 FOR UPDATE)
     UPDATE model.wallets w SET decision_scores = $2::model."DecisionScores"
       FROM former WHERE w.workspace_id = $1
     RETURNING former.decision_scores AS before`,
    [ctx.scope.workspaceId, contract],
  );
  return row?.before ?? null;
}

/**
 * Returns a page of the ledger. Sorted by the ledger's own sequence, because ids of several processes can be
 * out of order.
 */
export async function creditLedgerPage(
  ctx: Context,
  request: PageRequest,
  kind: CreditEntry['kind'] | null,
): Promise<Page<CreditEntry>> {
  const ofKind = `($2::model."CreditEntryKind" IS NULL OR kind = $2)`;
  // Nearly all entries are usage: the others have their own index.
  const rare = kind && kind !== 'USAGE' ? ` AND kind <> 'USAGE'` : '';
  const { workspaceId } = ctx.scope;
  const { order, beyond } = scan(request);
  const rows = await ctx.sql.query<CreditEntry>(
    `SELECT id, kind, amount, balance_after, description, created_at
       FROM model.credit_entries
      WHERE workspace_id = $1 AND account = 'WALLET' AND ${ofKind}${rare}
        AND ($3::uuid IS NULL OR sequence ${beyond} (
              SELECT sequence FROM model.credit_entries
               WHERE workspace_id = $1 AND account = 'WALLET' AND id = $3))
      ORDER BY sequence ${order} LIMIT $4 OFFSET $5`,
    [workspaceId, kind, request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows, async () => {
    const [counted] = await ctx.sql.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM model.credit_entries
        WHERE workspace_id = $1 AND account = 'WALLET' AND ${ofKind}${rare}`,
      [workspaceId, kind],
    );
    return counted?.total ?? 0;
  });
}

export interface CreditDay {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly used: bigint;
}

/** Returns the used credits by day; days without any are missing. */
export const creditsByDay = (ctx: Context, { from, to, timeZone }: DayRange): Promise<CreditDay[]> =>
  ctx.sql.query(
    `SELECT ${dayOf('starts_at', '$4')} AS date, sum(used)::int8 AS used
       FROM model.credit_periods
      WHERE workspace_id = $1 AND starts_at >= $2 AND starts_at < $3
      GROUP BY 1`,
    [ctx.scope.workspaceId, from, to, timeZone],
  );
