import {
  CreateApiKeyDocument,
  DeleteApiKeyDocument,
  ListApiKeysDocument,
  PurgeTestDataDocument,
} from '#generated/graphql';
import { DELETE, GET, POST } from '../../table/row.ts';

export const apiKeysRoutes = [
  GET('/api/v2/api-keys', ListApiKeysDocument),
  POST('/api/v2/api-keys', CreateApiKeyDocument, { status: 201 }),
  DELETE('/api/v2/api-keys/:id', DeleteApiKeyDocument),
];

export const testDataRoutes = [POST('/api/v2/test-data/purge', PurgeTestDataDocument)];
