import { AppError } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import type { StoreRefFragment } from '#generated/peers';
import { questions } from './peers.ts';

/** Returns stores by id; unknown ones are left out. @throws AppError PEER_UNAVAILABLE (503) */
export async function findStores(ctx: Context, ids: readonly string[]): Promise<readonly StoreRefFragment[]> {
  return (await ctx.services.peers.ask(ctx, 'commerce', questions.StoreRefs, { ids }))._storeRefs;
}

/** Returns one store by id; null if the workspace has none. @throws AppError PEER_UNAVAILABLE (503) */
export async function findStore(ctx: Context, id: string): Promise<StoreRefFragment | null> {
  const [store] = await findStores(ctx, [id]);
  return store ?? null;
}

/** Returns the error for a field with an unknown store. */
export const noStore = (field: string): AppError => {
  const sentence = `${field} names no store of this workspace. Open the store first, or leave it out.`;
  return new AppError('NOT_FOUND', 'STORE_NOT_FOUND', sentence, { field });
};

/**
 * Refuses a field with an unknown store; accepts null and undefined.
 *
 * @throws AppError STORE_NOT_FOUND (404) naming the field, PEER_UNAVAILABLE (503)
 */
export async function checkStore(ctx: Context, field: string, id: string | null | undefined): Promise<void> {
  if (id && !(await findStore(ctx, id))) throw noStore(field);
}
