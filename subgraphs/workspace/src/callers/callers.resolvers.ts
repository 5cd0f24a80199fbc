import type { QueryResolvers } from '#generated/schema';
import { resolveCaller } from './callers.service.ts';

export const Query = {
  _caller: async (_, presented, ctx) => ({ ...(await resolveCaller(ctx, presented)) }),
} satisfies QueryResolvers;
