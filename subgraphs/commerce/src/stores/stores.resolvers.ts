import { connection } from '@loyalty/platform/database/pages';
import type { MutationResolvers, QueryResolvers, StoreResolvers } from '#generated/schema';
import { isOpenAt } from './opening-hours.ts';
import {
  createStore,
  listStores,
  listStoresNear,
  setStoreStatus,
  storeRefs,
  updateStore,
} from './stores.service.ts';
import { storeById } from './stores.store.ts';

export const Query = {
  store: (_, { id }, ctx) => ctx.load(storeById, id),
  stores: async (_, args, ctx) => connection(await listStores(ctx, args)),
  _storeRefs: (_, { ids }, ctx) => storeRefs(ctx, ids),
  _storesNear: (_, { radiusKm, limit, ...place }, ctx) => listStoresNear(ctx, place, { radiusKm, limit }),
} satisfies QueryResolvers;

export const Mutation = {
  createStore: (_, { input }, ctx) => createStore(ctx, input),
  updateStore: (_, { id, input }, ctx) => updateStore(ctx, id, input),
  setStoreStatus: (_, { id, status }, ctx) => setStoreStatus(ctx, id, status),
} satisfies MutationResolvers;

export const Store = {
  __resolveReference: ({ id }, ctx) => ctx.load(storeById, id),
  isOpenNow: (store, _, ctx) => isOpenAt(store, ctx.clock.now()),
} satisfies StoreResolvers;
