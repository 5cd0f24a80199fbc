import { job } from '@loyalty/platform/jobs';
import { z } from 'zod';
import { gatherMemberExport, pruneMemberExports } from './member-exports.service.ts';

/** For an export that was asked for. */
export const gatherMemberExportJob = job(
  'loyalty.gather-member-export',
  z.object({ exportId: z.uuid() }),
  (ctx, { exportId }) => gatherMemberExport(ctx, exportId),
);

/** Due every hour; looks at all workspaces. */
export const pruneMemberExportsJob = job('loyalty.prune-member-exports', z.object({}), (ctx) =>
  pruneMemberExports(ctx),
);
