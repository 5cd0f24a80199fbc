import { GetProductDocument, ListProductsDocument } from '#generated/graphql';
import { GET } from '../../row.ts';

export const productsRoutes = [
  GET('/api/v2/products', ListProductsDocument),
  GET('/api/v2/products/:id', GetProductDocument),
];
