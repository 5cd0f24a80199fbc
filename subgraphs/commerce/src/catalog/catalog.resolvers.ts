import { connection } from '@loyalty/platform/database/pages';
import type {
  BrandResolvers,
  CategoryResolvers,
  MutationResolvers,
  ProductResolvers,
  QueryResolvers,
} from '#generated/schema';
import { moneyOf } from '../money.ts';
import { findBrand, listBrands } from './brands.service.ts';
import { brandById } from './brands.store.ts';
import { findCategories, listCategories } from './categories.service.ts';
import { categoryById, childrenByParent } from './categories.store.ts';
import { archiveProduct, listProducts, upsertProducts } from './products.service.ts';
import { productById } from './products.store.ts';

export const Query = {
  product: (_, { id }, ctx) => ctx.load(productById, id),
  products: async (_, args, ctx) => connection(await listProducts(ctx, args)),
  categories: async (_, args, ctx) => connection(await listCategories(ctx, args)),
  brands: async (_, args, ctx) => connection(await listBrands(ctx, args)),
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

export const Category = {
  __resolveReference: ({ id }, ctx) => ctx.load(categoryById, id),
  parent: ({ parentId }, _, ctx) => (parentId ? ctx.load(categoryById, parentId) : null),
  children: async ({ id }, _, ctx) => (await ctx.load(childrenByParent, id)) ?? [],
} satisfies CategoryResolvers;

export const Brand = {
  __resolveReference: ({ id }, ctx) => ctx.load(brandById, id),
} satisfies BrandResolvers;
