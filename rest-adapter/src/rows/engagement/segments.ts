import {
  CreateSegmentDocument,
  DeleteSegmentDocument,
  ExportSegmentDocument,
  GetSegmentDocument,
  ListSegmentsDocument,
  UpdateSegmentDocument,
} from '#generated/graphql';
import { DELETE, GET, PATCH, POST } from '../../table/row.ts';

export const segmentsRoutes = [
  GET('/api/v2/segments', ListSegmentsDocument, { tool: { name: 'segments_list' } }),
  POST('/api/v2/segments', CreateSegmentDocument, { tool: { name: 'segments_create' }, status: 201 }),
  GET('/api/v2/segments/:id', GetSegmentDocument, { tool: { name: 'segments_get' } }),
  PATCH('/api/v2/segments/:id', UpdateSegmentDocument, { tool: { name: 'segments_update' } }),
  DELETE('/api/v2/segments/:id', DeleteSegmentDocument, { tool: { name: 'segments_delete' } }),
  GET('/api/v2/segments/:id/export', ExportSegmentDocument, { download: 'segment-members.csv' }),
];
