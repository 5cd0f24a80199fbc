import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';

/** A sign-in that was just completed. */
interface Completed {
  readonly memberId: string;
}

/** A row of a sign-in; without a member if nobody has the address. */
interface Found {
  readonly memberId: string | null;
}

/** Members who may sign in: not erased and not being erased. */
const OPEN = `m.status NOT IN ('DEACTIVATION_PENDING', 'DELETED')`;

/** Inserts a sign-in for the member with the address, or for nobody: the work is the same. */
export async function insertSignIn(
  tx: Context,
  signIn: { readonly id: string; readonly createdAt: Date; readonly expiresAt: Date },
  emailIndexes: readonly string[],
): Promise<void> {
  await tx.sql.query(
    `INSERT INTO loyalty.member_sign_ins (workspace_id, mode, id, member_id, created_at, expires_at)
     SELECT $1, $2::platform."Mode", $3,
            (SELECT m.id FROM loyalty.members AS m
              WHERE ${inScope('m')} AND m.email_index = ANY($4::text[]) AND ${OPEN} LIMIT 1),
            $5, $6`,
    [...scopeOf(tx), signIn.id, emailIndexes, signIn.createdAt, signIn.expiresAt],
  );
}

interface SignInName {
  readonly workspaceId: string;
  readonly id: string;
}

/** Returns whether there is such a sign-in, of a live member or of nobody. */
export async function isKnown(ctx: Context, { workspaceId, id }: SignInName): Promise<boolean> {
  const rows = await ctx.sql.query(
    `SELECT 1 FROM loyalty.member_sign_ins AS s
      WHERE s.workspace_id = $1 AND s.mode = 'LIVE' AND s.id = $2`,
    [workspaceId, id],
  );
  return rows.length > 0;
}

/**
 * Returns the member whose sign-in waits for its code; null for nobody's sign-in, and for one that was used
 * or has expired.
 */
export async function findWaiting(ctx: Context, id: string): Promise<string | null> {
  const [row] = await ctx.sql.query<{ memberId: string | null }>(
    `SELECT s.member_id FROM loyalty.member_sign_ins AS s
      WHERE ${inScope('s')} AND s.id = $3 AND s.used_at IS NULL AND s.expires_at > $4`,
    [...scopeOf(ctx), id, ctx.clock.now()],
  );
  return row?.memberId ?? null;
}

/** Replaces the code and the link of an earlier mail. */
export async function keepCode(
  ctx: Context,
  id: string,
  { codeHash, tokenHash }: { readonly codeHash: string | null; readonly tokenHash: string },
): Promise<void> {
  await ctx.sql.query(
    `UPDATE loyalty.member_sign_ins AS s SET code_hash = $4, token_hash = $5
      WHERE ${inScope('s')} AND s.id = $3 AND s.used_at IS NULL`,
    [...scopeOf(ctx), id, codeHash, tokenHash],
  );
}

/**
 * Tries a code; every try counts. Only live members are contacted, so only they have codes.
 *
 * @returns the member if the code is right, only for the first of several calls; else null
 */
export async function tryCode(
  tx: Context,
  { workspaceId, id }: SignInName,
  codeHashes: readonly string[],
  attemptsMax: number,
): Promise<Completed | null> {
  const [row] = await tx.sql.query<Found & { readonly usedAt: Date | null }>(
    `UPDATE loyalty.member_sign_ins AS s
        SET attempts = s.attempts + 1,
            used_at = CASE WHEN s.code_hash = ANY($3::text[]) THEN $4::timestamptz END
      WHERE s.workspace_id = $1 AND s.mode = 'LIVE' AND s.id = $2
        AND s.used_at IS NULL AND s.expires_at > $4 AND s.attempts < $5
     RETURNING s.member_id, s.used_at`,
    [workspaceId, id, codeHashes, tx.clock.now(), attemptsMax],
  );
  return row?.usedAt ? completed(row) : null;
}

/** Returns the member of a link, only for the first of several calls. */
export async function useLink(
  tx: Context,
  workspaceId: string,
  tokenHash: string,
): Promise<Completed | null> {
  const [row] = await tx.sql.query<Found>(
    `UPDATE loyalty.member_sign_ins AS s SET used_at = $3
      WHERE s.workspace_id = $1 AND s.mode = 'LIVE' AND s.token_hash = $2
        AND s.used_at IS NULL AND s.expires_at > $3
     RETURNING s.member_id`,
    [workspaceId, tokenHash, tx.clock.now()],
  );
  return row ? completed(row) : null;
}

const completed = ({ memberId }: Found): Completed | null => (memberId === null ? null : { memberId });
