import { PurgeTestDataDocument } from '#generated/graphql';
import { POST } from '../../table/row.ts';

export const testDataRoutes = [POST('/api/v2/test-data/purge', PurgeTestDataDocument)];
