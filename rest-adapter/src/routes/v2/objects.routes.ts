import {
  CreateRecordDocument,
  DeleteRecordDocument,
  GetObjectTypeDocument,
  GetRecordDocument,
  ListObjectTypesDocument,
  ListRecordsDocument,
  UpdateRecordDocument,
} from '#generated/graphql';
import { DELETE, GET, PATCH, POST } from '../../table/row.ts';

export const objectsRoutes = [
  GET('/api/v2/objects', ListObjectTypesDocument),
  GET('/api/v2/objects/:type', GetObjectTypeDocument),
  GET('/api/v2/objects/:type/records', ListRecordsDocument, { prefixed: { f_: 'filters' } }),
  POST('/api/v2/objects/:type/records', CreateRecordDocument, { status: 201 }),
  GET('/api/v2/objects/:type/records/:recordId', GetRecordDocument),
  PATCH('/api/v2/objects/:type/records/:recordId', UpdateRecordDocument),
  DELETE('/api/v2/objects/:type/records/:recordId', DeleteRecordDocument),
];
