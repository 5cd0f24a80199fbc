import type { Context } from '@loyalty/platform/context';
import { AppError } from '@loyalty/platform/errors';

/** What the commerce subgraph tells of a store; its store-refs slice answers. */
export interface StoreRef {
  readonly id: string;
  readonly status: 'ACTIVE' | 'PAUSED' | 'ARCHIVED';
  /** IANA name; null where the workspace's own holds. */
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

/** The store that a field names is none of the workspace. */
export const noStore = (field: string): AppError => {
  const sentence = `${field} names no store of this workspace. Open the store first, or leave it out.`;
  return new AppError('NOT_FOUND', 'STORE_NOT_FOUND', sentence, { field });
};

/**
 * Refuses a field that names a store which the workspace lacks; null and undefined name none.
 *
 * @throws AppError STORE_NOT_FOUND (404) naming the field, PEER_UNAVAILABLE (503)
 */
export async function checkStore(ctx: Context, field: string, id: string | null | undefined): Promise<void> {
  if (id && !(await findStore(ctx, id))) throw noStore(field);
}
