import { connection } from '@loyalty/platform/loading/pages';
import type { MutationResolvers, ProductResolvers, QueryResolvers } from '#generated/schema';
import { moneyOf } from '../../money/money.ts';
import { findBrand } from '../brands/brands.service.ts';
import { findCategories } from '../categories/categories.service.ts';
import { archiveProduct, listProducts, upsertProducts } from './products.service.ts';
import { productById } from './products.store.ts';

export const Query = {
  product: (_, { id }, ctx) => ctx.load(productById, id),
  products: async (_, args, ctx) => connection(await listProducts(ctx, args)),
} satisfies QueryResolvers;

export const Mutation = {
  upsertProducts: (_, { input }, ctx) => upsertProducts(ctx, input),
  archiveProduct: (_, { id }, ctx) => archiveProduct(ctx, id),
} satisfies MutationResolvers;

export const Product = {
  __resolveReference: ({ id }, ctx) => ctx.load(productById, id),
  price: ({ priceMinor, currency }) =>
    priceMinor !== null && currency ? moneyOf(priceMinor, currency) : null,
  categories: ({ categoryIds }, _, ctx) => findCategories(ctx, categoryIds),
  brand: ({ brandId }, _, ctx) => (brandId ? findBrand(ctx, brandId) : null),
} satisfies ProductResolvers;
