import type { Context } from '@loyalty/platform/context';
import { AppError } from '@loyalty/platform/errors';

/** A store as the commerce subgraph's store-refs slice returns it. */
interface StoreRef {
  readonly id: string;
  readonly status: 'ACTIVE' | 'PAUSED' | 'ARCHIVED';
  /** IANA name; null where the time zone of the workspace counts. */
  readonly timeZone: string | null;
}

const STORE_REFS = 'query StoreRefs($ids: [ID!]!) { _storeRefs(ids: $ids) }';

/** Stores by id, without those that the workspace lacks. @throws AppError PEER_UNAVAILABLE (503) */
export async function findStores(ctx: Context, ids: readonly string[]): Promise<StoreRef[]> {
  const answer = await ctx.services.peers.ask(ctx, 'commerce', { query: STORE_REFS, variables: { ids } });
  return answer['_storeRefs'] as StoreRef[];
}

/** One store by id; null when the workspace has none. @throws AppError PEER_UNAVAILABLE (503) */
export async function findStore(ctx: Context, id: string): Promise<StoreRef | null> {
  const [store] = await findStores(ctx, [id]);
  return store ?? null;
}

/** The error where a field names a store that the workspace does not have. */
export const noStore = (field: string): AppError => {
  const sentence = `${field} names no store of this workspace. Open the store first, or leave it out.`;
  return new AppError('NOT_FOUND', 'STORE_NOT_FOUND', sentence, { field });
};

/**
 * Refuses a field that names an unknown store; null and undefined are no names.
 *
 * @throws AppError STORE_NOT_FOUND (404) naming the field, PEER_UNAVAILABLE (503)
 */
export async function checkStore(ctx: Context, field: string, id: string | null | undefined): Promise<void> {
  if (id && !(await findStore(ctx, id))) throw noStore(field);
}
