import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';

export const CONTENT_SEALED_AS = 'push_batch.content';

/** Notifications and the browsers that do not have theirs yet. */
export interface PushBatch {
  readonly subscriptionIds: readonly string[];
  /** JSON of `BatchContent`. */
  readonly contentSealed: Buffer;
  readonly expiresAt: Date;
}

export async function insertBatches(
  tx: Context,
  batches: readonly (Omit<PushBatch, 'expiresAt'> & { readonly id: string })[],
  expiresAt: Date,
): Promise<void> {
  await tx.sql.query(
    `INSERT INTO engagement.push_batches
            (workspace_id, mode, id, subscription_ids, content_sealed, created_at, expires_at)
     SELECT $1, $2::platform."Mode", b.id, string_to_array(b.subscription_ids, ',')::uuid[], b.content_sealed,
            $6, $7
       FROM unnest($3::uuid[], $4::text[], $5::bytea[]) AS b(id, subscription_ids, content_sealed)`,
    [
      ...scopeOf(tx),
      batches.map(({ id }) => id),
      batches.map(({ subscriptionIds }) => subscriptionIds.join(',')),
      batches.map(({ contentSealed }) => contentSealed),
      tx.clock.now(),
      expiresAt,
    ],
  );
}

export async function findBatch(ctx: Context, id: string): Promise<PushBatch | null> {
  const [row] = await ctx.sql.query<PushBatch>(
    `SELECT subscription_ids AS "subscriptionIds", content_sealed AS "contentSealed",
            expires_at AS "expiresAt"
       FROM engagement.push_batches WHERE ${inScope()} AND id = $3`,
    [...scopeOf(ctx), id],
  );
  return row ?? null;
}

/** Takes away those who have it or never will, so that no later attempt sends it to them again. */
export async function removeFromBatch(
  ctx: Context,
  id: string,
  subscriptionIds: readonly string[],
): Promise<void> {
  await ctx.sql.query(
    `UPDATE engagement.push_batches
        SET subscription_ids = ARRAY(SELECT unnest(subscription_ids) EXCEPT SELECT unnest($4::uuid[]))
      WHERE ${inScope()} AND id = $3`,
    [...scopeOf(ctx), id, subscriptionIds],
  );
}

export async function deleteBatch(ctx: Context, id: string): Promise<void> {
  await ctx.sql.query(`DELETE FROM engagement.push_batches WHERE ${inScope()} AND id = $3`, [
    ...scopeOf(ctx),
    id,
  ]);
}
