import type { Context } from '@loyalty/platform/context';
import type { StoreRef } from '#generated/schema';
import { findStoreRefs } from './store-refs.store.ts';

/** Stores by id, for other subgraphs. */
export const storeRefs = (ctx: Context, ids: readonly string[]): Promise<StoreRef[]> =>
  findStoreRefs(ctx, ids);
