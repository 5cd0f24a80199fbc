import { runImport } from '@loyalty/platform/imports/import-run';
import { job } from '@loyalty/platform/jobs';
import { z } from 'zod';
import { openMemberImport } from './member-import.service.ts';

/** Writes the rows of a file of members; it goes on where it stopped. */
export const importMembersJob = job(
  'loyalty.import-members',
  z.object({ importId: z.uuid() }),
  (ctx, { importId }) => runImport(ctx, importId, openMemberImport),
  { isLong: true, retryLimit: 20 },
);
