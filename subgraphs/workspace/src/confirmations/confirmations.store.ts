import type { Context } from '@loyalty/platform/context';

/** Notes that the account is unconfirmed, and that the caller's workspace depends on it. */
export async function insertConfirmation(ctx: Context, accountId: string): Promise<void> {
  await ctx.prisma.emailConfirmation.createMany({ data: [{ accountId, createdAt: ctx.clock.now() }] });
}

/** Replaces the hash of the link; false if the account is confirmed already. */
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

/** The account and the workspace of a token, which is used up; null if it is unknown, used or expired. */
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
     RETURNING a.id AS account_id, used.workspace_id`,
    [tokenHash, ctx.clock.now()],
  );
  return row ?? null;
}
