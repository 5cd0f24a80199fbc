import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/database/array-parameters';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';

export const CONTENT_SEALED_AS = 'push_batch.content';

/** Notifications and the browsers that have not received them yet. */
export interface PushBatch {
  /** The campaign, journey or automation that sends the notifications. */
  readonly sourceId: string | null;
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
            (workspace_id, mode, id, subscription_ids, content_sealed, source_id, created_at, expires_at)
     SELECT $1, $2::platform."Mode", b.id, string_to_array(b.subscription_ids, ',')::uuid[], b.content_sealed,
            b.source_id, $7, $8
       FROM unnest($3::uuid[], $4::text[], $5::bytea[], $6::uuid[])
            AS b(id, subscription_ids, content_sealed, source_id)`,
    [
      ...scopeOf(tx),
      batches.map(({ id }) => id),
      batches.map(({ subscriptionIds }) => subscriptionIds.join(',')),
      ...arraysOf(batches, 'contentSealed', 'sourceId'),
      tx.clock.now(),
      expiresAt,
    ],
  );
}

/**
 * Claims a batch, unless another worker has claimed it at `leasedFrom` or later.
 *
 * @returns TAKEN while another worker has claimed it; null if there is no such batch
 */
export async function claimBatch(
  ctx: Context,
  id: string,
  leasedFrom: Date,
): Promise<PushBatch | 'TAKEN' | null> {
  const [row] = await ctx.sql.query<PushBatch & { isTaken: boolean }>(
    `WITH taken AS (
       UPDATE engagement.push_batches SET taken_at = $4
        WHERE ${inScope()} AND id = $3 AND (taken_at IS NULL OR taken_at < $5)
       RETURNING id
     )
     SELECT b.source_id, b.subscription_ids, b.content_sealed, b.expires_at,
            NOT EXISTS (SELECT FROM taken) AS is_taken
       FROM engagement.push_batches AS b WHERE ${inScope('b')} AND b.id = $3`,
    [...scopeOf(ctx), id, ctx.clock.now(), leasedFrom],
  );
  if (!row) return null;
  const { isTaken, ...batch } = row;
  return isTaken ? 'TAKEN' : batch;
}

/** Ends the claim of a batch. */
export async function endClaim(ctx: Context, id: string): Promise<void> {
  await ctx.sql.query(`UPDATE engagement.push_batches SET taken_at = NULL WHERE ${inScope()} AND id = $3`, [
    ...scopeOf(ctx),
    id,
  ]);
}

/** Whether a batch of a source, or of any source, was claimed at `leasedFrom` or later. */
export async function hasClaimed(ctx: Context, sourceId: string | null, leasedFrom: Date): Promise<boolean> {
  const [row] = await ctx.sql.query<{ isTaken: boolean }>(
    `SELECT EXISTS (SELECT FROM engagement.push_batches
                     WHERE ${inScope()} AND source_id IS NOT NULL AND ($3::uuid IS NULL OR source_id = $3)
                       AND taken_at >= $4) AS is_taken`,
    [...scopeOf(ctx), sourceId, leasedFrom],
  );
  return row!.isTaken;
}

/** Returns the ids of the batches of a source, or of all sources. */
export async function batchesOfSource(ctx: Context, sourceId: string | null): Promise<string[]> {
  const rows = await ctx.sql.query<{ id: string }>(
    `SELECT id FROM engagement.push_batches
      WHERE ${inScope()} AND source_id IS NOT NULL AND ($3::uuid IS NULL OR source_id = $3)`,
    [...scopeOf(ctx), sourceId],
  );
  return rows.map(({ id }) => id);
}

/** Deletes the batches of a source that no worker has claimed. */
export async function deleteWaiting(tx: Context, sourceId: string, leasedFrom: Date): Promise<void> {
  await tx.sql.query(
    `DELETE FROM engagement.push_batches
      WHERE ${inScope()} AND source_id = $3 AND (taken_at IS NULL OR taken_at < $4)`,
    [...scopeOf(tx), sourceId, leasedFrom],
  );
}

/** Removes browsers from a batch and ends its claim. Later attempts do not send to the removed browsers. */
export async function removeFromBatch(
  ctx: Context,
  id: string,
  subscriptionIds: readonly string[],
): Promise<void> {
  await ctx.sql.query(
    `UPDATE engagement.push_batches
        SET subscription_ids = ARRAY(SELECT unnest(subscription_ids) EXCEPT SELECT unnest($4::uuid[])),
            taken_at = NULL
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
