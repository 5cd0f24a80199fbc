import {
  CancelBulkJobDocument,
  CreateBulkJobDocument,
  GetBulkJobDocument,
  ListBulkJobsDocument,
  ListBulkResultsDocument,
  PauseBulkJobDocument,
  ResumeBulkJobDocument,
  RetryBulkJobDocument,
} from '#generated/graphql';
import { GET, POST } from '../../table/row.ts';

const about = { id: 'bulk job' };

export const bulkJobsRoutes = [
  GET('/api/v1/bulk-jobs', ListBulkJobsDocument),
  GET('/api/v1/bulk-jobs', GetBulkJobDocument, { about }),
  GET('/api/v1/bulk-jobs', ListBulkResultsDocument, { about, when: { view: 'results' }, expires: true }),
  POST('/api/v1/bulk-jobs', CreateBulkJobDocument, { when: { action: 'create' }, status: 202 }),
  POST('/api/v1/bulk-jobs', PauseBulkJobDocument, { about, when: { action: 'pause' } }),
  POST('/api/v1/bulk-jobs', ResumeBulkJobDocument, { about, when: { action: 'resume' } }),
  POST('/api/v1/bulk-jobs', CancelBulkJobDocument, { about, when: { action: 'cancel' } }),
  POST('/api/v1/bulk-jobs', RetryBulkJobDocument, { about, when: { action: 'retry' }, expires: true }),
];
