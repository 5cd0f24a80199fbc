import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';

interface SubscriptionRow {
  readonly id: string;
  readonly contentSealed: Buffer;
}

interface NewSubscription extends SubscriptionRow {
  readonly memberId: string;
  readonly endpointHash: string;
}

/**
 * Locks the browsers of a member, so that calls of the member are serialized. Locks nothing if the member has
 * none.
 */
export async function lockOfMember(tx: Context, memberId: string): Promise<void> {
  await tx.sql.query(
    `SELECT 1 FROM engagement.push_subscriptions
      WHERE ${inScope()} AND member_id = $3 ORDER BY id FOR UPDATE`,
    [...scopeOf(tx), memberId],
  );
}

/** Inserts or moves a subscription. An endpoint belongs to the member who registered it last. */
export async function upsertSubscription(tx: Context, row: NewSubscription): Promise<void> {
  await tx.sql.query(
    `INSERT INTO engagement.push_subscriptions
            (workspace_id, mode, id, member_id, endpoint_hash, content_sealed, created_at)
     VALUES ($1, $2::platform."Mode", $3, $4, $5, $6, $7)
     ON CONFLICT (workspace_id, mode, endpoint_hash) DO UPDATE
        SET member_id = EXCLUDED.member_id, content_sealed = EXCLUDED.content_sealed,
            created_at = EXCLUDED.created_at`,
    [...scopeOf(tx), row.id, row.memberId, row.endpointHash, row.contentSealed, tx.clock.now()],
  );
}

/** Deletes all browsers of a member except the `kept` newest. */
export async function deleteOldest(tx: Context, memberId: string, kept: number): Promise<void> {
  await tx.sql.query(
    `DELETE FROM engagement.push_subscriptions
      WHERE ${inScope()} AND id IN (
            SELECT id FROM engagement.push_subscriptions
             WHERE ${inScope()} AND member_id = $3 ORDER BY created_at DESC, id DESC OFFSET $4)`,
    [...scopeOf(tx), memberId, kept],
  );
}

export async function deleteEndpoint(ctx: Context, memberId: string, endpointHash: string): Promise<void> {
  await ctx.sql.query(
    `DELETE FROM engagement.push_subscriptions
      WHERE ${inScope()} AND member_id = $3 AND endpoint_hash = $4`,
    [...scopeOf(ctx), memberId, endpointHash],
  );
}

export async function deleteOfMember(ctx: Context, memberId: string): Promise<void> {
  await ctx.sql.query(`DELETE FROM engagement.push_subscriptions WHERE ${inScope()} AND member_id = $3`, [
    ...scopeOf(ctx),
    memberId,
  ]);
}

export async function deleteSubscriptions(ctx: Context, ids: readonly string[]): Promise<void> {
  await ctx.sql.query(
    `DELETE FROM engagement.push_subscriptions WHERE ${inScope()} AND id = ANY($3::uuid[])`,
    [...scopeOf(ctx), ids],
  );
}

export const subscriptionsOf = (
  ctx: Context,
  memberIds: readonly string[],
): Promise<{ memberId: string; id: string }[]> =>
  ctx.sql.query(
    `SELECT member_id, id FROM engagement.push_subscriptions
      WHERE ${inScope()} AND member_id = ANY($3::uuid[]) ORDER BY member_id, id`,
    [...scopeOf(ctx), memberIds],
  );

export function subscriptionsById(ctx: Context, ids: readonly string[]): Promise<SubscriptionRow[]> {
  return ctx.sql.query(
    `SELECT id, content_sealed FROM engagement.push_subscriptions
      WHERE ${inScope()} AND id = ANY($3::uuid[])`,
    [...scopeOf(ctx), ids],
  );
}

export async function countSubscriptions(ctx: Context, memberId: string): Promise<number> {
  const [counted] = await ctx.sql.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM engagement.push_subscriptions WHERE ${inScope()} AND member_id = $3`,
    [...scopeOf(ctx), memberId],
  );
  return counted!.total;
}

/** The key pair of a workspace. The private key is sealed. */
export interface SealedKeys {
  readonly publicKey: string;
  readonly privateKeySealed: Buffer;
}

export async function findKeys(ctx: Context): Promise<SealedKeys | null> {
  const [row] = await ctx.sql.query<SealedKeys>(
    `SELECT public_key, private_key_sealed
       FROM engagement.push_keys WHERE workspace_id = $1`,
    [ctx.scope.workspaceId],
  );
  return row ?? null;
}

/** Inserts a key pair. If two are inserted at the same time, the first one is kept. */
export async function insertKeys(ctx: Context, { publicKey, privateKeySealed }: SealedKeys): Promise<void> {
  await ctx.sql.query(
    `INSERT INTO engagement.push_keys (workspace_id, public_key, private_key_sealed, created_at)
     VALUES ($1, $2, $3, $4) ON CONFLICT (workspace_id) DO NOTHING`,
    [ctx.scope.workspaceId, publicKey, privateKeySealed, ctx.clock.now()],
  );
}
