import { job } from '@loyalty/platform/jobs';
import { testDataPurged } from '@loyalty/platform/test-data';
import { notePurged } from './test-data.service.ts';

/** For each part's word that it is empty. */
export const notePurgedJob = job(
  'workspace.note-test-data-purged',
  testDataPurged.schema,
  (ctx, { purgeId, part, counts }) => notePurged(ctx, purgeId, part, counts),
);
