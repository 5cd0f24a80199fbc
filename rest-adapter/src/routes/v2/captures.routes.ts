import { ListCapturesDocument } from '#generated/graphql';
import { GET } from '../../table/row.ts';

export const capturesRoutes = [GET('/api/v2/captures', ListCapturesDocument)];
