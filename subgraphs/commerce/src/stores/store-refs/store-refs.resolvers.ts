import type { QueryResolvers } from '#generated/schema';
import { storeRefs } from './store-refs.service.ts';

export const Query = {
  _storeRefs: (_, { ids }, ctx) => storeRefs(ctx, ids),
} satisfies QueryResolvers;
