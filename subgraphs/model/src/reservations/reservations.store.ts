import type { Context } from '@loyalty/platform/context';
import { newId } from '@loyalty/platform/ids';

export type ReservationStatus = 'HELD' | 'SETTLED' | 'RELEASED' | 'EXPIRED';

/** Amounts are credits. */
export interface Reservation {
  readonly id: string;
  readonly amount: bigint;
  /** What was booked in the end; null unless settled. */
  readonly settled: bigint | null;
  readonly status: ReservationStatus;
}

/** What is to be set aside. */
export interface Hold {
  readonly id: string;
  readonly amount: bigint;
  readonly purpose: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Credits that a wallet on trial may spend in all. */
  readonly trialMax: bigint;
}

// Each change is one statement: a connection that dies leaves all of it or nothing. The wallet's row is
// locked after the reservation's, so no two of these statements wait for each other.

/** False when the wallet does not allow it, or does not exist. */
export async function holdCredits(ctx: Context, hold: Hold): Promise<boolean> {
  const held = await ctx.sql.query(
    `WITH wallet AS (
       UPDATE model.wallets SET reserved = reserved + $3::int8
        WHERE workspace_id = $1 AND plan <> 'PAUSED' AND balance - reserved >= $3
          AND (plan = 'PAID' OR trial_used + reserved + $3 <= $7::int8)
       RETURNING workspace_id
     )
     INSERT INTO model.credit_reservations (id, workspace_id, amount, purpose, status, created_at, expires_at)
     SELECT $2, workspace_id, $3, $4, 'HELD', $5, $6 FROM wallet
     RETURNING id`,
    [
      ctx.scope.workspaceId,
      hold.id,
      hold.amount,
      hold.purpose,
      hold.createdAt,
      hold.expiresAt,
      hold.trialMax,
    ],
  );
  return held.length > 0;
}

/** Null when the reservation is not held, is unknown, or is smaller than `actual`. */
export async function bookUsage(ctx: Context, id: string, actual: bigint): Promise<Reservation | null> {
  const { clock } = ctx;
  const [row] = await ctx.sql.query<Reservation>(
    `WITH closed AS (
       UPDATE model.credit_reservations SET status = 'SETTLED', settled = $3::int8, closed_at = $4
        WHERE workspace_id = $1 AND id = $2 AND status = 'HELD' AND amount >= $3
       RETURNING id, amount, settled, status, purpose
     ), wallet AS (
       UPDATE model.wallets w
          SET balance = w.balance - $3, reserved = w.reserved - closed.amount,
              sequence = w.sequence + sign($3)::int8,
              trial_used = w.trial_used + CASE w.plan WHEN 'TRIAL' THEN $3 ELSE 0 END
         FROM closed WHERE w.workspace_id = $1
       RETURNING w.balance, w.sequence
     ), booked AS (
       INSERT INTO model.credit_entries
         (id, workspace_id, transaction_id, kind, account, amount, balance_after, sequence, description,
          reference, created_at)
       SELECT line.id, $1, $7, 'USAGE', line.account::model."CreditAccount", line.amount,
              CASE line.account WHEN 'WALLET' THEN wallet.balance END, wallet.sequence, closed.purpose,
              'reservation:' || closed.id, $4
         FROM closed CROSS JOIN wallet
        CROSS JOIN (VALUES ($5::uuid, 'WALLET', -$3), ($6::uuid, 'USAGE', $3)) AS line (id, account, amount)
        WHERE $3 > 0
     )
     SELECT id, amount, settled, status FROM closed`,
    [ctx.scope.workspaceId, id, actual, clock.now(), newId(clock), newId(clock), newId(clock)],
  );
  return row ?? null;
}

/** Null when the reservation is not held, or is unknown. */
export async function returnCredits(ctx: Context, id: string): Promise<Reservation | null> {
  const [row] = await ctx.sql.query<Reservation>(
    `WITH closed AS (
       UPDATE model.credit_reservations SET status = 'RELEASED', closed_at = $3
        WHERE workspace_id = $1 AND id = $2 AND status = 'HELD'
       RETURNING id, amount, settled, status
     ), wallet AS (
       UPDATE model.wallets w SET reserved = w.reserved - closed.amount FROM closed WHERE w.workspace_id = $1
     )
     SELECT id, amount, settled, status FROM closed`,
    [ctx.scope.workspaceId, id, ctx.clock.now()],
  );
  return row ?? null;
}

/**
 * Closes overdue reservations, oldest first; returns the workspace of each. It serves every workspace and is
 * therefore the one statement here that is bound to none.
 */
export async function expireHeld(ctx: Context, limit: number): Promise<string[]> {
  const rows = await ctx.sql.query<{ workspaceId: string }>(
    `WITH due AS (
       SELECT r.id FROM model.credit_reservations r JOIN model.wallets w USING (workspace_id)
        WHERE r.status = 'HELD' AND r.expires_at <= $1
        ORDER BY r.expires_at LIMIT $2
          FOR UPDATE SKIP LOCKED
     ), closed AS (
       UPDATE model.credit_reservations r SET status = 'EXPIRED', closed_at = $1
         FROM due WHERE r.id = due.id
       RETURNING r.workspace_id, r.amount
     ), wallet AS (
       UPDATE model.wallets w SET reserved = w.reserved - overdue.amount
         FROM (SELECT workspace_id, sum(amount)::int8 AS amount FROM closed GROUP BY workspace_id) AS overdue
        WHERE w.workspace_id = overdue.workspace_id
     )
     SELECT workspace_id AS "workspaceId" FROM closed`,
    [ctx.clock.now(), limit],
  );
  return rows.map(({ workspaceId }) => workspaceId);
}

export async function findReservation(ctx: Context, id: string): Promise<Reservation | null> {
  const [row] = await ctx.sql.query<Reservation>(
    'SELECT id, amount, settled, status FROM model.credit_reservations WHERE workspace_id = $1 AND id = $2',
    [ctx.scope.workspaceId, id],
  );
  return row ?? null;
}
