import { job } from '@loyalty/platform/work/jobs';
import { testDataPurged, testDataPurgeFailed } from '@loyalty/platform/work/test-data';
import { notePurged, notePurgeFailed } from './test-data.service.ts';

/** Runs after a part reported that it is empty. */
export const notePurgedJob = job(
  'workspace.note-test-data-purged',
  testDataPurged.schema,
  (ctx, { purgeId, part, counts }) => notePurged(ctx, purgeId, part, counts),
);

/** Runs after a part could not be emptied. */
export const notePurgeFailedJob = job(
  'workspace.note-test-data-purge-failed',
  testDataPurgeFailed.schema,
  (ctx, { purgeId, failure }) => notePurgeFailed(ctx, purgeId, failure),
);
