import type { Mode } from '@loyalty/platform/base/caller';
import type { Context, Loader } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/database/pages';
import { visible, visibleTo } from '../call-log/visible-rows.ts';
import type { ApiKeyKind } from './key-secret.ts';

export interface ApiKey {
  readonly id: string;
  /** The account of the creator, who may have left the team. */
  readonly createdById: string;
  readonly kind: ApiKeyKind;
  /** For a publishable key: the websites that may use it; empty for all. */
  readonly origins: readonly string[];
  readonly name: string;
  readonly prefix: string;
  readonly lastFour: string;
  readonly scopes: readonly string[];
  readonly mode: Mode;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

const columns = `id, created_by_id, kind, origins, name, prefix, last_four, scopes, mode, created_at,
  expires_at, revoked_at, last_used_at`;

export const apiKeyById: Loader<string, ApiKey> = loader(async (ctx, ids) => {
  const sql = `SELECT ${columns} FROM workspace.api_keys WHERE ${visible} AND id = ANY($3::uuid[])`;
  const rows = await ctx.sql.query<ApiKey>(sql, [...visibleTo(ctx), ids]);
  return new Map(rows.map((row) => [row.id, row]));
});

export async function apiKeysPage(
  ctx: Context,
  request: PageRequest,
  wanted: { readonly isRevoked: boolean | null; readonly createdById: string | null },
): Promise<Page<ApiKey>> {
  const where = `${visible} AND ($3::boolean IS NULL OR (revoked_at IS NOT NULL) = $3)
    AND ($4::uuid IS NULL OR created_by_id = $4)`;
  const params = [...visibleTo(ctx), wanted.isRevoked, wanted.createdById];
  const { order, beyond } = scan(request);
  const rows = await ctx.sql.query<ApiKey>(
    `SELECT ${columns} FROM workspace.api_keys WHERE ${where} AND ($5::uuid IS NULL OR id ${beyond} $5)
      ORDER BY id ${order} LIMIT $6 OFFSET $7`,
    [...params, request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows, async () => {
    const sql = `SELECT count(*)::int AS total FROM workspace.api_keys WHERE ${where}`;
    const [counted] = await ctx.sql.query<{ total: number }>(sql, params);
    return counted?.total ?? 0;
  });
}

interface NewApiKey extends Omit<ApiKey, 'createdById' | 'revokedAt' | 'lastUsedAt'> {
  readonly secretHash: string;
  /** The account that creates it; or a key, then its creator is stored. */
  readonly creatorId: string;
}

export async function insertApiKey(ctx: Context, key: NewApiKey): Promise<ApiKey> {
  const [row] = await ctx.sql.query<ApiKey>(
    `INSERT INTO workspace.api_keys
       (id, workspace_id, mode, name, prefix, last_four, secret_hash, scopes, created_by_id, created_at,
        expires_at, kind, origins)
     VALUES ($1, $2, $3::platform."Mode", $4, $5, $6, $7, $8,
             coalesce((SELECT m.created_by_id FROM workspace.api_keys m
                        WHERE m.workspace_id = $2 AND m.id = $9), $9),
             $10, $11, $12::workspace."ApiKeyKind", $13)
     RETURNING ${columns}`,
    [
      key.id,
      ctx.scope.workspaceId,
      key.mode,
      key.name,
      key.prefix,
      key.lastFour,
      key.secretHash,
      key.scopes,
      key.creatorId,
      key.createdAt,
      key.expiresAt,
      key.kind,
      key.origins,
    ],
  );
  return row!;
}

/** Returns null if the key is unknown or was revoked before. */
export async function endKey(ctx: Context, id: string): Promise<ApiKey | null> {
  const [row] = await ctx.sql.query<ApiKey>(
    `UPDATE workspace.api_keys SET revoked_at = $4 WHERE ${visible} AND id = $3 AND revoked_at IS NULL
     RETURNING ${columns}`,
    [...visibleTo(ctx), id, ctx.clock.now()],
  );
  return row ?? null;
}

/** Revokes every key of a person, in both modes, and returns the keys that were not revoked before. */
export async function endKeysOf(ctx: Context, createdById: string): Promise<ApiKey[]> {
  return ctx.sql.query<ApiKey>(
    `UPDATE workspace.api_keys SET revoked_at = $3
      WHERE workspace_id = $1 AND created_by_id = $2 AND revoked_at IS NULL RETURNING ${columns}`,
    [ctx.scope.workspaceId, createdById, ctx.clock.now()],
  );
}

/**
 * Marks a key as replaced; it ends at `endsAt`, or at its own end if that is earlier. Returns null if it was
 * revoked or replaced before.
 */
export async function replaceKey(
  ctx: Context,
  id: string,
  replacedById: string,
  endsAt: { expiresAt: Date } | { revokedAt: Date },
): Promise<ApiKey | null> {
  const [row] = await ctx.sql.query<ApiKey>(
    `UPDATE workspace.api_keys
        SET replaced_by_id = $4, revoked_at = $5, expires_at = least(expires_at, $6)
      WHERE ${visible} AND id = $3 AND revoked_at IS NULL AND replaced_by_id IS NULL RETURNING ${columns}`,
    [
      ...visibleTo(ctx),
      id,
      replacedById,
      'revokedAt' in endsAt ? endsAt.revokedAt : null,
      'expiresAt' in endsAt ? endsAt.expiresAt : null,
    ],
  );
  return row ?? null;
}
