import type { Context } from '@loyalty/platform/context';

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
