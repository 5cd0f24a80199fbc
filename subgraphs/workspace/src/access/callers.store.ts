import type { Limits, Mode, Role } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { anyOf } from '@loyalty/platform/database/array-parameters';
import { limitColumns, limitsOf } from '../workspaces/limit-columns.ts';
import type { ApiKeyKind } from './key-secret.ts';

/** Modules and limits that a workspace grants to each of its callers. */
export interface Grants {
  readonly workspaceId: string;
  readonly limits: Limits;
  /** Keys of the enabled modules. */
  readonly modules: readonly string[];
}

type GrantsRow = Limits & { workspaceId: string; modules: string[] };

const grantColumns = `w.id AS workspace_id, ${limitColumns('w')},
  ARRAY(SELECT s.key FROM workspace.module_switches s
    WHERE s.workspace_id = w.id AND s.is_enabled) AS modules`;

const toGrants = ({ workspaceId, modules, ...row }: GrantsRow): Grants => ({
  workspaceId,
  modules,
  limits: limitsOf(row),
});

export interface KeyCredential {
  readonly id: string;
  readonly mode: Mode;
  readonly kind: ApiKeyKind;
  readonly origins: readonly string[];
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly createdById: string;
  /** The current role of the person who created the key; null after they have left the team. */
  readonly creatorRole: Role | null;
  readonly grants: Grants;
}

type KeyRow = Omit<KeyCredential, 'grants'> & GrantsRow;

const keys = `SELECT k.id, k.mode, k.kind, k.origins, k.scopes, k.expires_at, k.revoked_at, k.created_by_id,
            m.role AS creator_role, ${grantColumns}
       FROM workspace.api_keys k
       JOIN workspace.workspaces w ON w.id = k.workspace_id
       LEFT JOIN workspace.memberships m
         ON m.workspace_id = k.workspace_id AND m.account_id = k.created_by_id`;

export async function findKey(ctx: Context, secretHashes: readonly string[]): Promise<KeyCredential | null> {
  const sql = `${keys} WHERE k.secret_hash = ${anyOf('$1::text[]')}`;
  const [row] = await ctx.sql.query<KeyRow>(sql, [secretHashes]);
  return row ? toKey(row) : null;
}

export async function findKeyById(
  ctx: Context,
  id: string,
  workspaceId: string,
): Promise<KeyCredential | null> {
  const sql = `${keys} WHERE k.workspace_id = $1 AND k.id = $2`;
  const [row] = await ctx.sql.query<KeyRow>(sql, [workspaceId, id]);
  return row ? toKey(row) : null;
}

function toKey(row: KeyRow): KeyCredential {
  const { id, mode, kind, origins, scopes, expiresAt, revokedAt, createdById, creatorRole } = row;
  const key = { id, mode, kind, origins, scopes, expiresAt, revokedAt, createdById, creatorRole };
  return { ...key, grants: toGrants(row) };
}

interface UserCredential {
  readonly tokenVersion: number;
  readonly role: Role;
  /** Whether the session was ended by signing out. */
  readonly isEnded: boolean;
  readonly grants: Grants;
}

interface UserSession {
  readonly accountId: string;
  readonly workspaceId: string;
  readonly sessionId: string;
}

/** Returns null if the account is gone or does not belong to the workspace. */
export async function findUserIn(
  ctx: Context,
  { accountId, workspaceId, sessionId }: UserSession,
): Promise<UserCredential | null> {
  const [row] = await ctx.sql.query<Omit<UserCredential, 'grants'> & GrantsRow>(
    `SELECT a.token_version, m.role, ${grantColumns},
            EXISTS (SELECT 1 FROM workspace.ended_sessions e WHERE e.session_id = $3) AS is_ended
       FROM workspace.accounts a
       JOIN workspace.memberships m ON m.account_id = a.id AND m.workspace_id = $2
       JOIN workspace.workspaces w ON w.id = m.workspace_id
      WHERE a.id = $1`,
    [accountId, workspaceId, sessionId],
  );
  if (!row) return null;
  const { tokenVersion, role, isEnded } = row;
  return { tokenVersion, role, isEnded, grants: toGrants(row) };
}

export async function findGrants(ctx: Context, workspaceId: string): Promise<Grants | null> {
  const sql = `SELECT ${grantColumns} FROM workspace.workspaces w WHERE w.id = $1`;
  const [row] = await ctx.sql.query<GrantsRow>(sql, [workspaceId]);
  return row ? toGrants(row) : null;
}
