import {
  ApproveAlignmentDocument,
  CancelAlignmentDocument,
  DeleteAlignmentDocument,
  InferAlignmentDocument,
  ListAlignmentDocument,
  ListAlignmentReportsDocument,
  PublishAlignmentDocument,
  RejectAlignmentDocument,
  StartAlignmentDocument,
  UnpublishAlignmentDocument,
  UploadAlignmentDocument,
} from '#generated/graphql';
import { GET, POST } from '../../table/row.ts';

const about = { id: 'model version' } as const;

/** A file of 2 MiB is longer in JSON, where quotes and line ends are escaped. */
const bodyBytesMax = 3 * 1024 * 1024;

export const alignmentRoutes = [
  GET('/api/v1/alignment', ListAlignmentDocument),
  POST('/api/v1/alignment', UploadAlignmentDocument, { bodyBytesMax, when: { action: 'upload' } }),
  POST('/api/v1/alignment', StartAlignmentDocument, { about, when: { action: 'start' }, status: 202 }),
  POST('/api/v1/alignment', CancelAlignmentDocument, { about, when: { action: 'cancel' } }),
  POST('/api/v1/alignment', ListAlignmentReportsDocument, { about, when: { action: 'reports' } }),
  POST('/api/v1/alignment', ApproveAlignmentDocument, { about, when: { action: 'approve' } }),
  POST('/api/v1/alignment', RejectAlignmentDocument, { about, when: { action: 'reject' } }),
  POST('/api/v1/alignment', PublishAlignmentDocument, { about, when: { action: 'publish' } }),
  POST('/api/v1/alignment', UnpublishAlignmentDocument, { about, when: { action: 'unpublish' } }),
  POST('/api/v1/alignment', DeleteAlignmentDocument, { about, when: { action: 'delete' } }),
  POST('/api/v1/alignment', InferAlignmentDocument, { about, when: { action: 'infer' } }),
];
