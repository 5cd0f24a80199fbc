import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { signedUrl } from '@loyalty/platform/identity/signed-links';
import { imageLinks } from './receipt-image.ts';
import { deleteOfMember, findSealed, hasImage, insertImage, setDeleteAfter } from './receipt-images.store.ts';

/** Encryption context of the images. */
const CONTEXT = 'receipt.image';
/** Retention after the decision, in which a decision can be reviewed. */
const KEPT_MS = 90 * DAY_MS;

/** Stores the checked picture of a receipt, sealed, in the transaction of the receipt. */
export async function keepImage(
  tx: Context,
  receipt: { readonly id: string; readonly memberId: string },
  image: Buffer,
): Promise<void> {
  const keys = await tx.services.keyring.of(tx.scope.workspaceId);
  const sealed = keys.seal(image.toString('base64'), CONTEXT);
  await insertImage(tx, { receiptId: receipt.id, memberId: receipt.memberId, sealed });
}

/** Returns the picture as base64, or null if the workspace has no such receipt or the picture was deleted. */
export async function findImage(ctx: Context, receiptId: string): Promise<string | null> {
  const sealed = await findSealed(ctx, receiptId);
  return sealed && ctx.services.keyring.open(ctx.scope.workspaceId, sealed, CONTEXT);
}

/** Returns a link to the picture that is valid for fifteen minutes, or null if there is no picture. */
export const imageUrlOf = async (ctx: Context, receiptId: string): Promise<string | null> =>
  (await ctx.load(hasImage, receiptId)) ? signedUrl(ctx, imageLinks, receiptId) : null;

/** Schedules the deletion of the image in 90 days. */
export const scheduleImageDeletion = (tx: Context, receiptId: string): Promise<void> =>
  setDeleteAfter(tx, receiptId, addMs(tx.clock.now(), KEPT_MS));

/** Deletes all pictures of an erased member. */
export const deleteMemberImages = (ctx: Context, memberId: string): Promise<void> =>
  deleteOfMember(ctx, memberId);
