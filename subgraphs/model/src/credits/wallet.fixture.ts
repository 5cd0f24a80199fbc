import { expect } from '@jest/globals';
import type { Context } from '@loyalty/platform/context';
import type { Sql } from '@loyalty/prisma/client';

/** Amounts in credits. */
interface LedgerTotals {
  readonly balance: bigint;
  readonly reserved: bigint;
  readonly trialUsed: bigint;
  /** All credits ever spent. */
  readonly used: bigint;
  /** Number of ledger transactions. */
  readonly entries: bigint;
}

/**
 * Checks that a wallet, its ledger and its reservations agree, as they must at any moment: one statement
 * reads all of them.
 */
export async function checkLedger(sql: Sql, workspaceId: string): Promise<LedgerTotals> {
  const [found] = await sql.query<LedgerTotals & Readonly<Record<string, bigint>>>(
    `WITH line AS (SELECT * FROM model.credit_entries WHERE workspace_id = $1),
          reservation AS (SELECT * FROM model.credit_reservations WHERE workspace_id = $1)
     SELECT w.balance, w.reserved, w.trial_used, w.sequence,
            (SELECT sum(amount)::int8 FROM line WHERE account = 'WALLET') AS line_sum,
            (SELECT count(*) FROM line WHERE account = 'WALLET') AS "entries",
            (SELECT -sum(amount)::int8 FROM line WHERE account IN ('PROMOTION', 'DEPOSIT')) AS paid_in,
            (SELECT coalesce(sum(amount), 0)::int8 FROM line WHERE account = 'USAGE') AS "used",
            (SELECT coalesce(sum(amount), 0)::int8 FROM reservation WHERE status = 'HELD') AS "held",
            (SELECT coalesce(sum(settled), 0)::int8 FROM reservation) AS "settled",
            (SELECT count(*) FROM (
               SELECT FROM line GROUP BY transaction_id
               HAVING sum(amount) <> 0 OR count(*) <> 2 OR count(DISTINCT sequence) <> 1) AS t) AS "unbalanced",
            (SELECT count(*) FROM (
               SELECT balance_after - amount
                        - coalesce(lag(balance_after) OVER (ORDER BY sequence), 0) AS gap,
                      sequence - row_number() OVER (ORDER BY sequence) AS hole
                 FROM line WHERE account = 'WALLET') AS chain
              WHERE gap <> 0 OR hole <> 0 OR gap IS NULL) AS "broken"
       FROM model.wallets w WHERE w.workspace_id = $1`,
    [workspaceId],
  );
  const { balance, reserved, trialUsed, used, entries } = found!;
  expect(found).toMatchObject({
    lineSum: balance,
    paidIn: balance + used,
    held: reserved,
    settled: used,
    sequence: entries,
    unbalanced: 0n,
    broken: 0n,
  });
  expect(balance - reserved).toBeGreaterThanOrEqual(0n);
  expect(trialUsed).toBeLessThanOrEqual(50_000n);
  expect(trialUsed).toBeLessThanOrEqual(used);
  return { balance, reserved, trialUsed, used, entries };
}

/** One line of the ledger, for comparison in tests. */
interface LedgerLine {
  readonly account: string;
  readonly kind: string;
  readonly amount: bigint;
  readonly balanceAfter: bigint | null;
  readonly reference: string;
}

/** Returns every line of the workspace's ledger in order, without the trial gift. */
export const linesOf = (ctx: Context): Promise<LedgerLine[]> =>
  ctx.sql.query<LedgerLine>(
    `SELECT account, kind, amount, balance_after, reference FROM model.credit_entries
      WHERE workspace_id = $1 AND kind <> 'TRIAL_GIFT' ORDER BY sequence, account`,
    [ctx.scope.workspaceId],
  );

/**
 * Checks that wallet and ledger agree: the balance is the sum of the wallet's lines, they chain through
 * balance_after without a gap, every transaction has two lines that sum to zero, and nothing is below zero.
 */
export async function expectSoundLedger(ctx: Context): Promise<void> {
  const [found] = await ctx.sql.query(
    `SELECT w.balance - sum(e.amount)::int8 AS missing, w.sequence - count(*) AS uncounted,
            least(w.balance, w.balance - w.reserved) < 0 AS is_below_zero,
            (SELECT count(*)::int FROM (
               SELECT FROM model.credit_entries t WHERE t.workspace_id = w.workspace_id
                GROUP BY transaction_id HAVING sum(amount) <> 0 OR count(*) <> 2) AS t) AS unbalanced,
            (SELECT count(*)::int FROM (
               SELECT balance_after - amount
                        - coalesce(lag(balance_after) OVER (ORDER BY sequence), 0) AS gap,
                      sequence - row_number() OVER (ORDER BY sequence) AS hole
                 FROM model.credit_entries c
                WHERE c.workspace_id = w.workspace_id AND account = 'WALLET') AS chain
              WHERE gap <> 0 OR hole <> 0 OR gap IS NULL) AS broken
       FROM model.wallets w
       JOIN model.credit_entries e ON e.workspace_id = w.workspace_id AND e.account = 'WALLET'
      WHERE w.workspace_id = $1 GROUP BY w.workspace_id`,
    [ctx.scope.workspaceId],
  );
  expect(found).toEqual({ missing: 0n, uncounted: 0n, isBelowZero: false, unbalanced: 0, broken: 0 });
}
