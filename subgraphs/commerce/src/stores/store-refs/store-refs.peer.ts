import type { Context } from '@loyalty/platform/context';

/** What other subgraphs may know of a store. */
export interface StoreRef {
  readonly id: string;
  readonly status: 'ACTIVE' | 'PAUSED' | 'ARCHIVED';
  /** IANA name; null if the store uses the workspace's. */
  readonly timeZone: string | null;
}

const STORE_REFS = 'query StoreRefs($ids: [ID!]!) { _storeRefs(ids: $ids) }';

/** Stores by id, without those that the workspace lacks. @throws AppError PEER_UNAVAILABLE (503) */
export async function findStoreRefs(ctx: Context, ids: readonly string[]): Promise<StoreRef[]> {
  const answer = await ctx.services.peers.ask(ctx, 'commerce', { query: STORE_REFS, variables: { ids } });
  return answer['_storeRefs'] as StoreRef[];
}

/** One store by id; null when the workspace has none. @throws AppError PEER_UNAVAILABLE (503) */
export async function findStoreRef(ctx: Context, id: string): Promise<StoreRef | null> {
  const [store] = await findStoreRefs(ctx, [id]);
  return store ?? null;
}
