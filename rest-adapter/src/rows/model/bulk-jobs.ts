import {
  CancelBulkJobDocument,
  CreateBulkJobDocument,
  GetBulkJobDocument,
  GetMemberStateDocument,
  ListBulkJobsDocument,
  ListBulkResultsDocument,
  ListMemberStatesDocument,
  PauseBulkJobDocument,
  ResumeBulkJobDocument,
  RetryBulkJobDocument,
} from '#generated/graphql';
import { GET, POST } from '../../table/row.ts';

const about = { id: 'bulk job' } as const;

/** Where the reply shows the progress of a job, for tools that can wait until it has ended. */
const bulkJobProgress = {
  status: 'job.status',
  done: 'job.processed',
  ended: ['completed', 'completed_with_errors', 'failed', 'cancelled'],
};

export const bulkJobsRoutes = [
  GET('/api/v1/bulk-jobs', ListBulkJobsDocument, { tool: { name: 'bulk_jobs_list' } }),
  GET('/api/v1/bulk-jobs', GetBulkJobDocument, {
    tool: { name: 'bulk_jobs_get', waits: bulkJobProgress },
    about,
  }),
  GET('/api/v1/bulk-jobs', ListBulkResultsDocument, {
    tool: { name: 'bulk_results_list' },
    about,
    when: { view: 'results' },
    expires: true,
  }),
  POST('/api/v1/bulk-jobs', CreateBulkJobDocument, {
    tool: { name: 'bulk_jobs_create' },
    when: { action: 'create' },
    status: 202,
  }),
  POST('/api/v1/bulk-jobs', PauseBulkJobDocument, { about, when: { action: 'pause' } }),
  POST('/api/v1/bulk-jobs', ResumeBulkJobDocument, { about, when: { action: 'resume' } }),
  POST('/api/v1/bulk-jobs', CancelBulkJobDocument, {
    tool: { name: 'bulk_jobs_cancel' },
    about,
    when: { action: 'cancel' },
  }),
  POST('/api/v1/bulk-jobs', RetryBulkJobDocument, { about, when: { action: 'retry' }, expires: true }),
];

export const memberStatesRoutes = [
  GET('/api/v1/member-states', ListMemberStatesDocument, { tool: { name: 'member_states_list' } }),
  GET('/api/v1/member-states', GetMemberStateDocument, {
    tool: { name: 'member_states_get' },
    about: { member_id: 'member state' },
  }),
];
