import {
  CreateSegmentDocument,
  DeleteSegmentDocument,
  ExportSegmentDocument,
  GetSegmentDocument,
  ListSegmentsDocument,
  UpdateSegmentDocument,
} from '#generated/graphql';
import { DELETE, GET, PATCH, POST } from '../../../table/row.ts';

export const segmentsRoutes = [
  GET('/api/v2/segments', ListSegmentsDocument),
  POST('/api/v2/segments', CreateSegmentDocument, { status: 201 }),
  GET('/api/v2/segments/:id', GetSegmentDocument),
  PATCH('/api/v2/segments/:id', UpdateSegmentDocument),
  DELETE('/api/v2/segments/:id', DeleteSegmentDocument),
  GET('/api/v2/segments/:id/export', ExportSegmentDocument, { download: 'segment-members.csv' }),
];
