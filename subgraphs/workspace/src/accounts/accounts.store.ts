import { EMAIL_INDEX } from '@loyalty/platform/base/email';
import type { Context } from '@loyalty/platform/context';
import type { WorkspaceKeyring } from '@loyalty/platform/crypto/keyring';
import { loader } from '@loyalty/platform/database/loaders';
import { accountKeys } from './platform-workspace.ts';

/** A decrypted account. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly avatarUrl: string | null;
  readonly createdAt: Date;
}

/** The data for the check of a sign-in. */
export interface AccountCredentials {
  readonly accountId: string;
  readonly passwordHash: string;
  readonly tokenVersion: number;
}

interface AccountRow {
  id: string;
  emailSealed: Buffer;
  nameSealed: Buffer;
  avatarUrl: string | null;
  createdAt: Date;
}

const columns = `a.id, a.email_sealed, a.name_sealed, a.avatar_url, a.created_at`;

const credentials = `id AS account_id, password_hash, token_version`;

const open = (keys: WorkspaceKeyring, row: AccountRow): Account => ({
  id: row.id,
  email: keys.open(row.emailSealed, 'account.email'),
  name: keys.open(row.nameSealed, 'account.name'),
  avatarUrl: row.avatarUrl,
  createdAt: row.createdAt,
});

/** Loads accounts that belong to the caller's workspace; null for others. */
export const accountById = loader(async (ctx, ids: readonly string[]) => {
  const keys = await accountKeys(ctx);
  const rows = await ctx.sql.query<AccountRow>(
    `SELECT ${columns} FROM workspace.accounts a JOIN workspace.memberships m ON m.account_id = a.id
      WHERE m.workspace_id = $1 AND a.id = ANY($2::uuid[])`,
    [ctx.scope.workspaceId, ids],
  );
  return new Map(rows.map((row) => [row.id, open(keys, row)]));
});

/** Returns any account. Only for system callers that send mail to people of every workspace. */
export async function findAccount(ctx: Context, id: string): Promise<Account | null> {
  const keys = await accountKeys(ctx);
  const sql = `SELECT ${columns} FROM workspace.accounts a WHERE a.id = $1`;
  const [row] = await ctx.sql.query<AccountRow>(sql, [id]);
  return row ? open(keys, row) : null;
}

export async function findCredentialsByEmail(
  ctx: Context,
  email: string,
): Promise<AccountCredentials | null> {
  const keys = await accountKeys(ctx);
  const [row] = await ctx.sql.query<AccountCredentials>(
    `SELECT ${credentials} FROM workspace.accounts WHERE email_index = ANY($1::text[])`,
    [keys.indexes(email, EMAIL_INDEX)],
  );
  return row ?? null;
}

export async function findCredentials(ctx: Context, accountId: string): Promise<AccountCredentials | null> {
  const sql = `SELECT ${credentials} FROM workspace.accounts WHERE id = $1`;
  const [row] = await ctx.sql.query<AccountCredentials>(sql, [accountId]);
  return row ?? null;
}

/** Returns false if the address already has an account. */
export async function insertAccount(
  ctx: Context,
  keys: WorkspaceKeyring,
  account: Account,
  passwordHash: string,
): Promise<boolean> {
  const inserted = await ctx.sql.query(
    `INSERT INTO workspace.accounts (id, email_index, email_sealed, name_sealed, password_hash, created_at)
     SELECT $1, $2, $4, $5, $6, $7
      WHERE NOT EXISTS (SELECT 1 FROM workspace.accounts WHERE email_index = ANY($3::text[]))
     ON CONFLICT (email_index) DO NOTHING RETURNING id`,
    [
      account.id,
      keys.index(account.email, EMAIL_INDEX),
      keys.indexes(account.email, EMAIL_INDEX),
      keys.seal(account.email, 'account.email'),
      keys.seal(account.name, 'account.name'),
      passwordHash,
      account.createdAt,
    ],
  );
  return inserted.length > 0;
}

/** Changes details; undefined ones do not change. */
export async function changeProfile(
  ctx: Context,
  id: string,
  details: { name: string | undefined; avatarUrl: string | null | undefined },
): Promise<Account | null> {
  const keys = await accountKeys(ctx);
  const { name, avatarUrl } = details;
  const [row] = await ctx.sql.query<AccountRow>(
    `UPDATE workspace.accounts a
        SET name_sealed = coalesce($2, a.name_sealed), avatar_url = CASE WHEN $3 THEN $4 ELSE a.avatar_url END
      WHERE a.id = $1 RETURNING ${columns}`,
    [
      id,
      name === undefined ? null : keys.seal(name, 'account.name'),
      avatarUrl !== undefined,
      avatarUrl ?? null,
    ],
  );
  return row ? open(keys, row) : null;
}

/**
 * Sets a password and ends every session of the account; returns null if the account is gone or the compared
 * hash has changed.
 *
 * @param formerHash - null: any
 */
export async function changePasswordHash(
  ctx: Context,
  id: string,
  formerHash: string | null,
  passwordHash: string,
): Promise<AccountCredentials | null> {
  const [row] = await ctx.sql.query<AccountCredentials>(
    `UPDATE workspace.accounts SET password_hash = $3, token_version = token_version + 1
      WHERE id = $1 AND ($2::text IS NULL OR password_hash = $2) RETURNING ${credentials}`,
    [id, formerHash, passwordHash],
  );
  return row ?? null;
}

/** Ends every session of the account. */
export async function endAllSessions(ctx: Context, id: string): Promise<void> {
  await ctx.sql.query('UPDATE workspace.accounts SET token_version = token_version + 1 WHERE id = $1', [id]);
}

/** Records that the account is unconfirmed, and that the caller's workspace depends on it. */
export async function insertConfirmation(ctx: Context, accountId: string): Promise<void> {
  await ctx.prisma.emailConfirmation.createMany({ data: [{ accountId, createdAt: ctx.clock.now() }] });
}

/** Replaces the hash of the link; returns false if the account is confirmed already. */
export async function putConfirmationToken(
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

/** Uses a token and returns its account and workspace; null if it is unknown, used or expired. */
export async function useConfirmationToken(
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
