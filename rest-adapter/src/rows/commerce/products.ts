import {
  GetProductDocument,
  ListBrandsDocument,
  ListCategoriesDocument,
  ListProductsDocument,
} from '#generated/graphql';
import { GET } from '../../table/row.ts';

export const productsRoutes = [
  GET('/api/v2/products', ListProductsDocument, { tool: { name: 'products_list' } }),
  GET('/api/v2/products/:id', GetProductDocument, { tool: { name: 'products_get' } }),
];

export const categoriesRoutes = [GET('/api/v2/categories', ListCategoriesDocument)];

export const brandsRoutes = [GET('/api/v2/brands', ListBrandsDocument)];
