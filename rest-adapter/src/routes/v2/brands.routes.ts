import { ListBrandsDocument } from '#generated/graphql';
import { GET } from '../../table/row.ts';

export const brandsRoutes = [GET('/api/v2/brands', ListBrandsDocument)];
