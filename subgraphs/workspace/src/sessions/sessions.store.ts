import type { Context } from '@loyalty/platform/context';

interface EndedSession {
  readonly sessionId: string;
  readonly accountId: string;
  /** Time from which all tokens of the session are expired anyway. */
  readonly endsAt: Date;
}

export async function keepEndedSession(
  ctx: Context,
  { sessionId, accountId, endsAt }: EndedSession,
): Promise<void> {
  await ctx.sql.query(
    `INSERT INTO workspace.ended_sessions (session_id, account_id, ends_at) VALUES ($1, $2, $3)
     ON CONFLICT (session_id) DO NOTHING`,
    [sessionId, accountId, endsAt],
  );
}

const usable = 'token_hash = $1 AND used_at IS NULL AND expires_at > $2';

export async function insertReset(
  ctx: Context,
  reset: { id: string; accountId: string; tokenHash: string; expiresAt: Date },
): Promise<void> {
  await ctx.sql.query(
    `INSERT INTO workspace.password_resets (id, account_id, token_hash, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5)`,
    [reset.id, reset.accountId, reset.tokenHash, ctx.clock.now(), reset.expiresAt],
  );
}

/** Returns the account whose password the token may set; null if it is unknown, used or too old. */
export async function findAccountToReset(ctx: Context, tokenHash: string): Promise<string | null> {
  const sql = `SELECT account_id FROM workspace.password_resets WHERE ${usable}`;
  const [row] = await ctx.sql.query<{ accountId: string }>(sql, [tokenHash, ctx.clock.now()]);
  return row?.accountId ?? null;
}

/** Returns true for one caller only. */
export async function useReset(ctx: Context, tokenHash: string): Promise<boolean> {
  const used = await ctx.sql.query(
    `UPDATE workspace.password_resets SET used_at = $2 WHERE ${usable} RETURNING id`,
    [tokenHash, ctx.clock.now()],
  );
  return used.length > 0;
}

/** Invalidates links that were mailed before the password changed. */
export async function endResets(ctx: Context, accountId: string): Promise<void> {
  await ctx.sql.query(
    'UPDATE workspace.password_resets SET used_at = $2 WHERE account_id = $1 AND used_at IS NULL',
    [accountId, ctx.clock.now()],
  );
}

/** Returns the account's first workspace, or the wanted one if the account belongs to it. */
export async function findFirstMembership(
  ctx: Context,
  accountId: string,
  wantedId: string | null,
): Promise<string | null> {
  const [row] = await ctx.sql.query<{ workspaceId: string }>(
    `SELECT workspace_id FROM workspace.memberships
      WHERE account_id = $1 AND ($2::uuid IS NULL OR workspace_id = $2)
      ORDER BY created_at, workspace_id LIMIT 1`,
    [accountId, wantedId],
  );
  return row?.workspaceId ?? null;
}
