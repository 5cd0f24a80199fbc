import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { ENTRY_COLUMNS } from './wallet.store.ts';

// Credits have no mode, so no statement here has one. A month is a calendar month of UTC; if it lacks the
// day, its last day counts. The reference of each debit is the beginning of the paid month, so that no wallet
// can pay twice.

/** Loads the end of the paid month of active service. Batched: one read for a list of wallets. */
export const ownRenewal = loader(async (ctx, workspaceIds: readonly string[]) => {
  const { workspaceId } = ctx.scope;
  if (!workspaceIds.includes(workspaceId)) return new Map<string, Date>();
  const [row] = await ctx.sql.query<{ renewsAt: Date }>(
    `SELECT renews_at FROM model.wallets
      WHERE workspace_id = $1 AND plan = 'PAID' AND renews_at IS NOT NULL`,
    [workspaceId],
  );
  return new Map(row ? [[workspaceId, row.renewsAt]] : []);
});

/**
 * Sets the plan and debits the first month in one statement; null if it is active already or the month is not
 * covered.
 *
 * @param fee - credits a month
 */
export async function startPaidService(ctx: Context, fee: bigint): Promise<{ debited: bigint } | null> {
  const { clock } = ctx;
  const [started] = await ctx.sql.query<{ debited: bigint }>(
    `WITH due AS (
       SELECT workspace_id, balance - reserved AS available, coalesce(renews_at > $3, false) AS is_paid,
              CASE WHEN renews_at > $3 THEN 0 ELSE $2::int8 END AS fee
         FROM model.wallets WHERE workspace_id = $1 AND plan <> 'PAID'
          FOR UPDATE
     ), wallet AS (
       UPDATE model.wallets w
          SET plan = 'PAID', balance = w.balance - due.fee, sequence = w.sequence + sign(due.fee)::int8,
              paid_since = CASE WHEN due.is_paid THEN w.paid_since ELSE $3 END,
              renews_at = CASE WHEN due.is_paid THEN w.renews_at ELSE $3::timestamptz + interval '1 month' END
         FROM due WHERE w.workspace_id = $1 AND due.available >= due.fee
       RETURNING w.balance, w.sequence, due.fee
     ), booked AS (
       INSERT INTO model.credit_entries (${ENTRY_COLUMNS})
       SELECT line.id, $1, $4, 'SUBSCRIPTION', line.account::model."CreditAccount", line.sign * wallet.fee,
              CASE line.account WHEN 'WALLET' THEN wallet.balance END, wallet.sequence,
              'Platform subscription', 'subscription:' || to_char($3, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), $3
         FROM wallet
        CROSS JOIN (VALUES ($5::uuid, 'WALLET', -1), ($6::uuid, 'USAGE', 1)) AS line (id, account, sign)
        WHERE wallet.fee > 0
     )
     SELECT fee AS debited FROM wallet`,
    [ctx.scope.workspaceId, fee, clock.now(), newId(clock), newId(clock), newId(clock)],
  );
  return started ?? null;
}

/** Returns false if it is not active. The end of the paid month does not change. */
export async function stopPaidService(ctx: Context): Promise<boolean> {
  const stopped = await ctx.sql.query(
    `UPDATE model.wallets SET plan = 'PAUSED' WHERE workspace_id = $1 AND plan = 'PAID'
     RETURNING workspace_id`,
    [ctx.scope.workspaceId],
  );
  return stopped.length > 0;
}

export interface Renewal {
  readonly workspaceId: string;
  /** False if the wallet did not cover it; service is paused then. */
  readonly isRenewed: boolean;
}

/**
 * Renews or pauses the service of due wallets of all workspaces, the longest overdue first; locked wallets
 * are left out.
 *
 * @param fee - credits a month
 */
export async function renewDue(ctx: Context, fee: bigint, limit: number): Promise<Renewal[]> {
  const { clock } = ctx;
  const ids = Array.from({ length: limit * 3 }, () => newId(clock));
  return ctx.sql.query<Renewal>(
    `/* every workspace */ WITH due AS (
       SELECT workspace_id, renews_at, balance - reserved >= $2::int8 AS is_covered,
              paid_since + make_interval(months => 1 + (
                (extract(year FROM renews_at) - extract(year FROM paid_since)) * 12
                 + extract(month FROM renews_at) - extract(month FROM paid_since))::int) AS next_at
         FROM model.wallets WHERE plan = 'PAID' AND renews_at <= $1
        ORDER BY renews_at LIMIT $3
          FOR UPDATE SKIP LOCKED
     ), changed AS (
       UPDATE model.wallets w
          SET plan = CASE WHEN due.is_covered THEN w.plan ELSE 'PAUSED' END,
              balance = w.balance - CASE WHEN due.is_covered THEN $2 ELSE 0 END,
              sequence = w.sequence + CASE WHEN due.is_covered THEN sign($2)::int8 ELSE 0 END,
              renews_at = CASE WHEN NOT due.is_covered THEN NULL WHEN due.next_at > $1 THEN due.next_at
                               ELSE $1::timestamptz + interval '1 month' END,
              paid_since = CASE WHEN NOT due.is_covered THEN NULL WHEN due.next_at > $1 THEN w.paid_since
                                ELSE $1 END
         FROM due WHERE w.workspace_id = due.workspace_id
       RETURNING w.workspace_id, w.balance, w.sequence, due.renews_at, due.is_covered
     ), numbered AS (
       SELECT *, 3 * row_number() OVER () AS n FROM changed WHERE is_covered AND $2 > 0
     ), booked AS (
       INSERT INTO model.credit_entries (${ENTRY_COLUMNS})
       SELECT ($4::uuid[])[n - line.place], workspace_id, ($4::uuid[])[n], 'SUBSCRIPTION',
              line.account::model."CreditAccount", line.sign * $2,
              CASE line.account WHEN 'WALLET' THEN balance END, sequence, 'Platform subscription',
              'subscription:' || to_char(renews_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), $1
         FROM numbered
        CROSS JOIN (VALUES (1, 'WALLET', -1), (2, 'USAGE', 1)) AS line (place, account, sign)
     )
     SELECT workspace_id, is_covered AS is_renewed FROM changed`,
    [clock.now(), fee, limit, ids],
  );
}
