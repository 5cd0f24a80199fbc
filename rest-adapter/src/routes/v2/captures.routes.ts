import { ListCapturesDocument } from '#generated/graphql';
import { GET } from '../../row.ts';

export const capturesRoutes = [GET('/api/v2/captures', ListCapturesDocument)];
