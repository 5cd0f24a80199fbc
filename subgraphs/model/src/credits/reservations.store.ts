import { newId } from '@loyalty/platform/base/ids';
import { quarterHourOf } from '@loyalty/platform/base/quarter-hours';
import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/database/array-parameters';
import type { DecisionScores } from './charges.ts';
import { ENTRY_COLUMNS, type WalletPlan } from './wallet.store.ts';

type ReservationStatus = 'HELD' | 'SETTLED' | 'RELEASED' | 'EXPIRED';

/** Amounts in credits. */
export interface Reservation {
  readonly id: string;
  readonly amount: bigint;
  /** The booked amount; null unless settled. */
  readonly settled: bigint | null;
  readonly status: ReservationStatus;
}

/** Credits to reserve. */
export interface Hold {
  readonly id: string;
  /** Credits if the contract charges scores in addition to a decision. */
  readonly separate: bigint;
  /** Credits if the contract includes them. */
  readonly included: bigint;
  readonly purpose: string;
}

/** Whether the credits were reserved, with the state of the wallet that decided it. */
export interface Held {
  readonly isHeld: boolean;
  readonly plan: WalletPlan;
  readonly decisionScores: DecisionScores;
}

/** Begin and end of the reservations of one statement, and the maximum that a wallet on trial may spend. */
interface HoldTerms {
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** In credits. */
  readonly trialMax: bigint;
}

/** A reservation to settle or, if `used` is null, to release. */
export interface Closing {
  readonly id: string;
  /** In credits. */
  readonly used: bigint | null;
}

// Each change is one statement: if a connection dies, all of the change is made or nothing. All statements
// lock the wallet's row before any reservation's, so that they cannot deadlock.

/**
 * Reserves in order, each reservation if the remaining credits suffice: a refused large one does not prevent
 * smaller ones after it. An id that was reserved before reserves nothing. Empty if there is no wallet.
 */
export async function holdCredits(ctx: Context, holds: readonly Hold[], terms: HoldTerms): Promise<Held[]> {
  return ctx.sql.query<Held>(
    `WITH RECURSIVE wallet AS MATERIALIZED (
       SELECT plan, decision_scores,
              CASE decision_scores WHEN 'INCLUDED' THEN $4::int8[] ELSE $3::int8[] END AS amounts,
              CASE plan WHEN 'PAUSED' THEN 0 WHEN 'PAID' THEN balance - reserved
                ELSE least(balance - reserved, $8::int8 - trial_used - reserved) END AS spendable
         FROM model.wallets WHERE workspace_id = $1 FOR UPDATE
     ), hold (n, amount, is_held, spendable) AS (
       SELECT 0, 0::int8, false, spendable FROM wallet
        UNION ALL
       SELECT n + 1, next.amount, next.amount <= hold.spendable,
              hold.spendable - CASE WHEN next.amount <= hold.spendable THEN next.amount ELSE 0 END
         FROM hold CROSS JOIN wallet
        CROSS JOIN LATERAL (SELECT wallet.amounts[n + 1] AS amount) AS next
        WHERE n < cardinality($2::uuid[])
     ), kept AS (
       INSERT INTO model.credit_reservations
         (id, workspace_id, amount, purpose, status, created_at, expires_at)
       SELECT ($2::uuid[])[n], $1, amount, ($5::text[])[n], 'HELD', $6, $7 FROM hold WHERE is_held
       ON CONFLICT (workspace_id, id) DO NOTHING
       RETURNING amount
     ), changed AS (
       UPDATE model.wallets w SET reserved = w.reserved + held.amount
         FROM (SELECT sum(amount)::int8 AS amount FROM kept) AS held
        WHERE w.workspace_id = $1 AND held.amount > 0
     )
     SELECT is_held, plan, decision_scores
       FROM hold CROSS JOIN wallet WHERE n > 0 ORDER BY n`,
    [
      ctx.scope.workspaceId,
      ...arraysOf(holds, 'id', 'separate', 'included', 'purpose'),
      terms.createdAt,
      terms.expiresAt,
      terms.trialMax,
    ],
  );
}

// The update finds rows by `ctid` from the lookup by the unique index, so that no plan made while the table
// was small can join by reading all reservations of a workspace. A row that another transaction closed
// meanwhile is not HELD in its new version and does not change.
const CLOSE = `WITH wallet AS MATERIALIZED (
     SELECT balance, sequence FROM model.wallets WHERE workspace_id = $1 FOR UPDATE
   ), found AS MATERIALIZED (
     SELECT asked.*, r.place
       FROM wallet CROSS JOIN unnest($2::uuid[], $3::int8[], $5::uuid[], $6::uuid[], $7::uuid[])
              WITH ORDINALITY AS asked (id, used, transaction_id, wallet_line, usage_line, n)
      CROSS JOIN LATERAL (SELECT ctid AS place, status, amount FROM model.credit_reservations
                           WHERE workspace_id = $1 AND id = asked.id LIMIT 1) AS r
      WHERE r.status = 'HELD' AND (asked.used IS NULL OR asked.used <= r.amount)
   ), closed AS (
     UPDATE model.credit_reservations r
        SET status = (CASE WHEN found.used IS NULL THEN 'RELEASED' ELSE 'SETTLED' END)
                     ::model."ReservationStatus",
            settled = found.used, closed_at = $4
       FROM found WHERE r.workspace_id = $1 AND r.ctid = found.place AND r.status = 'HELD'
     RETURNING r.id, r.amount, r.settled, r.status, r.purpose,
               found.n, found.transaction_id, found.wallet_line, found.usage_line
   ), changed AS (
     UPDATE model.wallets w
        SET balance = w.balance - done.used, reserved = w.reserved - done.amount,
            sequence = w.sequence + done.booked,
            trial_used = w.trial_used + CASE w.plan WHEN 'TRIAL' THEN done.used ELSE 0 END
       FROM (SELECT coalesce(sum(settled), 0)::int8 AS used, sum(amount)::int8 AS amount,
                    count(*) FILTER (WHERE settled > 0) AS booked
               FROM closed) AS done
      WHERE w.workspace_id = $1 AND done.amount > 0
   ), booked AS (
     INSERT INTO model.credit_entries (${ENTRY_COLUMNS})
     SELECT line.id, $1, used.transaction_id, 'USAGE', line.account::model."CreditAccount", line.amount,
            CASE line.account WHEN 'WALLET' THEN wallet.balance - used.so_far END,
            wallet.sequence + used.number, used.purpose, 'reservation:' || used.id, $4
       FROM (SELECT closed.*, sum(settled) OVER (ORDER BY n)::int8 AS so_far,
                    row_number() OVER (ORDER BY n) AS number
               FROM closed WHERE settled > 0) AS used
      CROSS JOIN wallet
      CROSS JOIN LATERAL (VALUES (used.wallet_line, 'WALLET', -used.settled),
                                 (used.usage_line, 'USAGE', used.settled)) AS line (id, account, amount)
   ), counted AS (
     INSERT INTO model.credit_periods AS p (workspace_id, starts_at, used)
     SELECT $1, ${quarterHourOf('$4::timestamptz')}, sum(settled) FROM closed HAVING sum(settled) > 0
     ON CONFLICT (workspace_id, starts_at) DO UPDATE SET used = p.used + excluded.used
   )
   SELECT id, amount, settled, status FROM closed`;

/**
 * Settles and releases in order; each settlement is a transaction of the ledger. Reservations that are not
 * held, are unknown, or are smaller than the used credits are left out.
 */
export async function closeHeld(ctx: Context, closings: readonly Closing[]): Promise<Reservation[]> {
  const { clock } = ctx;
  const newIds = () => closings.map(() => newId(clock));
  return ctx.sql.query<Reservation>(CLOSE, [
    ctx.scope.workspaceId,
    ...arraysOf(closings, 'id', 'used'),
    clock.now(),
    newIds(),
    newIds(),
    newIds(),
  ]);
}

/**
 * Closes overdue reservations, oldest first; returns the workspace of each. The only statement here that is
 * not bound to a workspace, because it serves all.
 */
export async function expireHeld(ctx: Context, limit: number): Promise<string[]> {
  const rows = await ctx.sql.query<{ workspaceId: string }>(
    `/* every workspace */ WITH due AS (
       SELECT r.workspace_id, r.id FROM model.credit_reservations r JOIN model.wallets w USING (workspace_id)
        WHERE r.status = 'HELD' AND r.expires_at <= $1
        ORDER BY r.expires_at LIMIT $2
          FOR UPDATE SKIP LOCKED
     ), closed AS (
       UPDATE model.credit_reservations r SET status = 'EXPIRED', closed_at = $1
         FROM due WHERE r.workspace_id = due.workspace_id AND r.id = due.id
       RETURNING r.workspace_id, r.amount
     ), wallet AS (
       UPDATE model.wallets w SET reserved = w.reserved - overdue.amount
         FROM (SELECT workspace_id, sum(amount)::int8 AS amount FROM closed GROUP BY workspace_id) AS overdue
        WHERE w.workspace_id = overdue.workspace_id
     )
     SELECT workspace_id FROM closed`,
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
