import type { QueryResolvers } from '#generated/schema';
import { conditionCatalog } from './condition-catalog.service.ts';

export const Query = {
  _conditionCatalog: (_, __, ctx) => conditionCatalog(ctx),
} satisfies QueryResolvers;
