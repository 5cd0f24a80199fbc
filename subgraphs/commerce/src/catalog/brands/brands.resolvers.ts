import { connection } from '@loyalty/platform/loading/pages';
import type { BrandResolvers, QueryResolvers } from '#generated/schema';
import { listBrands } from './brands.service.ts';
import { brandById } from './brands.store.ts';

export const Query = {
  brands: async (_, args, ctx) => connection(await listBrands(ctx, args)),
} satisfies QueryResolvers;

export const Brand = {
  __resolveReference: ({ id }, ctx) => ctx.load(brandById, id),
} satisfies BrandResolvers;
