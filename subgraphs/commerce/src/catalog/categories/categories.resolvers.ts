import { connection } from '@loyalty/platform/loading/pages';
import type { CategoryResolvers, QueryResolvers } from '#generated/schema';
import { listCategories } from './categories.service.ts';
import { categoryById, childrenByParent } from './categories.store.ts';

export const Query = {
  categories: async (_, args, ctx) => connection(await listCategories(ctx, args)),
} satisfies QueryResolvers;

export const Category = {
  __resolveReference: ({ id }, ctx) => ctx.load(categoryById, id),
  parent: ({ parentId }, _, ctx) => (parentId ? ctx.load(categoryById, parentId) : null),
  children: async ({ id }, _, ctx) => (await ctx.load(childrenByParent, id)) ?? [],
} satisfies CategoryResolvers;
