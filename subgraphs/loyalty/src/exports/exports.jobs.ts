import { exportJob } from '@loyalty/platform/exports/export-job';
import { forgetExports } from '@loyalty/platform/exports/exports.service';
import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { exportedCoupons } from './exported-coupons.ts';
import { exportedMembers } from './exported-members.ts';
import { exportedPoints } from './exported-points.ts';
import { failExport, failOldMemberExports, gatherMemberExport } from './member-exports.service.ts';

/** Writes a file of members. */
export const exportMembersJob = exportJob(exportedMembers);

/** Writes a file of ledger entries. */
export const exportPointsJob = exportJob(exportedPoints);

/** Writes a file of coupon codes. */
export const exportCouponsJob = exportJob(exportedCoupons);

/** Deletes files of members, which may contain an erased member. */
export const forgetExportsJob = job('loyalty.forget-exports', z.object({ memberId: z.uuid() }), (ctx) =>
  forgetExports(ctx, 'MEMBERS'),
);

/** Collects a requested export. */
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
