import { GetProductDocument, ListProductsDocument } from '#generated/graphql';
import { GET } from '../../table/row.ts';

export const productsRoutes = [
  GET('/api/v2/products', ListProductsDocument),
  GET('/api/v2/products/:id', GetProductDocument),
];
