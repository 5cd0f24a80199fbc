import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { failExport, gatherMemberExport, pruneMemberExports } from './member-exports.service.ts';

/** For a requested export. */
export const gatherMemberExportJob = job(
  'loyalty.gather-member-export',
  z.object({ exportId: z.uuid() }),
  (ctx, { exportId }) => gatherMemberExport(ctx, exportId),
  { onExhausted: (ctx, { exportId }, failure) => failExport(ctx, exportId, failure) },
);

/** Runs every hour, for all workspaces. */
export const pruneMemberExportsJob = job('loyalty.prune-member-exports', z.object({}), (ctx) =>
  pruneMemberExports(ctx),
);
