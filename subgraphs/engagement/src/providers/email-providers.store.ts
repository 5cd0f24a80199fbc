import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import type { ProviderConfig, ProviderKind, ProviderSecret } from './provider-config.ts';

/** A provider of a workspace, with sealed secrets. */
export interface StoredProvider {
  readonly id: string;
  readonly name: string;
  readonly kind: ProviderKind;
  readonly position: number;
  readonly isEnabled: boolean;
  readonly config: ProviderConfig;
  readonly secretSealed: Buffer;
  readonly noticeSecretSealed: Buffer | null;
  readonly failures: number;
  readonly pausedUntil: Date | null;
  readonly lastSuccessAt: Date | null;
  readonly lastFailureAt: Date | null;
  readonly lastError: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const COLUMNS = `id, name, kind, position, is_enabled, config, secret_sealed, notice_secret_sealed,
  failures, paused_until, last_success_at, last_failure_at, last_error, created_at, updated_at`;

/** Locks the list against other changes, because its length and order depend on all rows. */
export async function lockProviders(tx: Context): Promise<void> {
  await tx.sql.query(
    `SELECT pg_advisory_xact_lock(hashtextextended('engagement.email_providers:' || $1, 0))`,
    [tx.scope.workspaceId],
  );
}

/** Providers in the order in which they are tried. */
export const allProviders = (ctx: Context): Promise<StoredProvider[]> =>
  ctx.sql.query<StoredProvider>(
    `SELECT ${COLUMNS} FROM engagement.email_providers WHERE workspace_id = $1 ORDER BY position, id`,
    [ctx.scope.workspaceId],
  );

export async function findProvider(ctx: Context, id: string): Promise<StoredProvider | null> {
  const [found] = await ctx.sql.query<StoredProvider>(
    `SELECT ${COLUMNS} FROM engagement.email_providers WHERE workspace_id = $1 AND id = $2`,
    [ctx.scope.workspaceId, id],
  );
  return found ?? null;
}

export interface ProviderDetails {
  readonly name: string;
  readonly isEnabled: boolean;
  readonly config: ProviderConfig;
  readonly secretSealed: Buffer;
  readonly noticeSecretSealed: Buffer | null;
}

export async function insertProvider(
  tx: Context,
  { id, kind, position, ...details }: ProviderDetails & Pick<StoredProvider, 'id' | 'kind' | 'position'>,
): Promise<StoredProvider> {
  const [row] = await tx.sql.query<StoredProvider>(
    `INSERT INTO engagement.email_providers (workspace_id, id, kind, position, name, is_enabled, config,
            secret_sealed, notice_secret_sealed, created_at, updated_at)
     VALUES ($1, $2, $3::engagement."EmailProviderKind", $4, $5, $6, $7, $8, $9, $10, $10)
     RETURNING ${COLUMNS}`,
    [tx.scope.workspaceId, id, kind, position, ...valuesOf(details), tx.clock.now()],
  );
  return row!;
}

const valuesOf = (details: ProviderDetails): unknown[] => [
  details.name,
  details.isEnabled,
  JSON.stringify(details.config),
  details.secretSealed,
  details.noticeSecretSealed,
];

/** @param isReset - whether its failures are reset */
export async function replaceProvider(
  tx: Context,
  id: string,
  details: ProviderDetails,
  isReset: boolean,
): Promise<StoredProvider> {
  const [row] = await tx.sql.query<StoredProvider>(
    `UPDATE engagement.email_providers
        SET name = $3, is_enabled = $4, config = $5, secret_sealed = $6, notice_secret_sealed = $7,
            updated_at = $8, failures = CASE WHEN $9 THEN 0 ELSE failures END,
            paused_until = CASE WHEN $9 THEN NULL ELSE paused_until END
      WHERE workspace_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
    [tx.scope.workspaceId, id, ...valuesOf(details), tx.clock.now(), isReset],
  );
  return row!;
}

/** Deletes a provider. Later providers move up. */
export async function deleteProvider(tx: Context, id: string): Promise<StoredProvider | null> {
  const [removed] = await tx.sql.query<StoredProvider>(
    `DELETE FROM engagement.email_providers WHERE workspace_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
    [tx.scope.workspaceId, id],
  );
  if (!removed) return null;
  await tx.sql.query(
    `UPDATE engagement.email_providers SET position = position - 1 WHERE workspace_id = $1 AND position > $2`,
    [tx.scope.workspaceId, removed.position],
  );
  return removed;
}

/** Sets the positions of providers, starting with 1. */
export async function setPositions(tx: Context, ids: readonly string[]): Promise<void> {
  await tx.sql.query(
    `UPDATE engagement.email_providers AS p SET position = w.position, updated_at = $3
       FROM unnest($2::uuid[]) WITH ORDINALITY AS w(id, position)
      WHERE p.workspace_id = $1 AND p.id = w.id AND p.position <> w.position`,
    [tx.scope.workspaceId, ids, tx.clock.now()],
  );
}

export const newProviderId = (ctx: Context): string => newId(ctx.clock);

const secretSeal = (id: string): string => `emailProvider.secret:${id}`;
const noticeSeal = (id: string): string => `emailProvider.noticeKey:${id}`;

export async function sealSecret(ctx: Context, id: string, secret: ProviderSecret): Promise<Buffer> {
  return ctx.services.keyring.seal(ctx.scope.workspaceId, JSON.stringify(secret), secretSeal(id));
}

/** @throws KeyringError if the secret cannot be opened */
export async function openSecret(
  ctx: Context,
  { id, secretSealed }: Pick<StoredProvider, 'id' | 'secretSealed'>,
): Promise<ProviderSecret> {
  const text = await ctx.services.keyring.open(ctx.scope.workspaceId, secretSealed, secretSeal(id));
  return JSON.parse(text) as ProviderSecret;
}

export const sealNoticeKey = (ctx: Context, id: string, key: string): Promise<Buffer> =>
  ctx.services.keyring.seal(ctx.scope.workspaceId, key, noticeSeal(id));

export const openNoticeKey = (ctx: Context, id: string, sealed: Buffer): Promise<string> =>
  ctx.services.keyring.open(ctx.scope.workspaceId, sealed, noticeSeal(id));
