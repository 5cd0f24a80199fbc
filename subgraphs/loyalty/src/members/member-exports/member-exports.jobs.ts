import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { failExport, failOldMemberExports, gatherMemberExport } from './member-exports.service.ts';

/** For a requested export. */
export const gatherMemberExportJob = job(
  'loyalty.gather-member-export',
  z.object({ exportId: z.uuid() }),
  (ctx, { exportId }) => gatherMemberExport(ctx, exportId),
  { onExhausted: (ctx, { exportId }, failure) => failExport(ctx, exportId, failure) },
);

/** Runs every hour, for all workspaces. */
export const failOldMemberExportsJob = job('loyalty.fail-old-member-exports', z.object({}), (ctx) =>
  failOldMemberExports(ctx),
);
