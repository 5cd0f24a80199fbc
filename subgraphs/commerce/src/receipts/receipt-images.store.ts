import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';

export async function insertImage(
  ctx: Context,
  image: { readonly receiptId: string; readonly memberId: string; readonly sealed: Buffer },
): Promise<void> {
  const { workspaceId, mode } = ctx.scope;
  await ctx.sql.query(
    `INSERT INTO commerce.receipt_images (receipt_id, workspace_id, mode, member_id, sealed, created_at)
     VALUES ($1, $2, $3::platform."Mode", $4, $5, $6)`,
    [image.receiptId, workspaceId, mode, image.memberId, image.sealed, ctx.clock.now()],
  );
}

export async function findSealed(ctx: Context, receiptId: string): Promise<Buffer | null> {
  const [row] = await ctx.sql.query<{ sealed: Buffer }>(
    `SELECT sealed FROM commerce.receipt_images
      WHERE ${inScope('receipt_images')} AND receipt_id = $3`,
    [...scopeOf(ctx), receiptId],
  );
  return row?.sealed ?? null;
}

/** Returns the receipts that have a picture. */
export const hasImage = loader(async (ctx, receiptIds: readonly string[]) => {
  const rows = await ctx.sql.query<{ receiptId: string }>(
    `SELECT receipt_id FROM commerce.receipt_images
      WHERE ${inScope('receipt_images')} AND receipt_id = ANY($3::uuid[])`,
    [...scopeOf(ctx), receiptIds],
  );
  return new Map(rows.map(({ receiptId }) => [receiptId, true]));
});

export async function setDeleteAfter(ctx: Context, receiptId: string, deleteAfter: Date): Promise<void> {
  await ctx.sql.query(
    `UPDATE commerce.receipt_images SET delete_after = $4
      WHERE ${inScope('receipt_images')} AND receipt_id = $3`,
    [...scopeOf(ctx), receiptId, deleteAfter],
  );
}

export async function deleteOfMember(ctx: Context, memberId: string): Promise<void> {
  await ctx.sql.query(
    `DELETE FROM commerce.receipt_images
      WHERE ${inScope('receipt_images')} AND member_id = $3`,
    [...scopeOf(ctx), memberId],
  );
}
