import type { Context } from '@loyalty/platform/context';

/** Makes the account wait for its confirmation, on which the caller's workspace depends. */
export async function insertConfirmation(ctx: Context, accountId: string): Promise<void> {
  await ctx.sql.query(
    'INSERT INTO workspace.email_confirmations (account_id, workspace_id, created_at) VALUES ($1, $2, $3)',
    [accountId, ctx.scope.workspaceId, ctx.clock.now()],
  );
}

/** Puts the hash of a new link in the place of the one before; false where the account waits for none. */
export async function putToken(
  ctx: Context,
  accountId: string,
  token: { readonly hash: string; readonly expiresAt: Date },
): Promise<boolean> {
  const rows = await ctx.sql.query(
    `UPDATE workspace.email_confirmations SET token_hash = $2, expires_at = $3 WHERE account_id = $1
     RETURNING 1`,
    [accountId, token.hash, token.expiresAt],
  );
  return rows.length > 0;
}

/** Whose address the token confirms, and for which workspace; null but for the first to use it in time. */
export async function useToken(
  ctx: Context,
  tokenHash: string,
): Promise<{ readonly accountId: string; readonly workspaceId: string } | null> {
  const [row] = await ctx.sql.query<{ accountId: string; workspaceId: string }>(
    `WITH used AS (
       DELETE FROM workspace.email_confirmations WHERE token_hash = $1 AND expires_at > $2
       RETURNING account_id, workspace_id
     )
     UPDATE workspace.accounts AS a SET email_confirmed_at = $2 FROM used WHERE a.id = used.account_id
     RETURNING a.id AS "accountId", used.workspace_id AS "workspaceId"`,
    [tokenHash, ctx.clock.now()],
  );
  return row ?? null;
}
