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
  GET('/api/v2/objects', ListObjectTypesDocument, { tool: { name: 'object_types_list' } }),
  GET('/api/v2/objects/:type', GetObjectTypeDocument, { tool: { name: 'object_types_get' } }),
  GET('/api/v2/objects/:type/records', ListRecordsDocument, {
    tool: { name: 'object_records_list' },
    prefixed: { f_: 'filters' },
  }),
  POST('/api/v2/objects/:type/records', CreateRecordDocument, {
    tool: { name: 'object_records_create' },
    status: 201,
  }),
  GET('/api/v2/objects/:type/records/:recordId', GetRecordDocument, { tool: { name: 'object_records_get' } }),
  PATCH('/api/v2/objects/:type/records/:recordId', UpdateRecordDocument, {
    tool: { name: 'object_records_update' },
  }),
  DELETE('/api/v2/objects/:type/records/:recordId', DeleteRecordDocument, {
    tool: { name: 'object_records_delete' },
  }),
];
