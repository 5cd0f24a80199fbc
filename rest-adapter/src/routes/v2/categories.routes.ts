import { ListCategoriesDocument } from '#generated/graphql';
import { GET } from '../../table/row.ts';

export const categoriesRoutes = [GET('/api/v2/categories', ListCategoriesDocument)];
