import type { MutationResolvers, QueryResolvers } from '#generated/schema';
import { listModules, setModule } from './modules.service.ts';

export const Query = {
  modules: (_, __, ctx) => listModules(ctx),
} satisfies QueryResolvers;

export const Mutation = {
  setModule: (_, { key, enabled }, ctx) => setModule(ctx, key, enabled),
} satisfies MutationResolvers;
