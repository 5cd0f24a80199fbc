import { exportRequested } from '@loyalty/platform/exports/export-definition';
import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/** An export of members was requested; a job writes its file. */
export const memberListExportRequested = exportRequested('loyalty.member_list_export_requested');

/** An export of ledger entries was requested. */
export const pointsExportRequested = exportRequested('loyalty.points_export_requested');

/** An export of coupon codes was requested. */
export const couponExportRequested = exportRequested('loyalty.coupon_export_requested');

/** An export of a member's data was requested; a job collects it. */
export const memberExportRequested = event(
  'member.export_requested',
  z.object({ memberId: z.uuid(), exportId: z.uuid() }),
  { activity: 'EXPORT_REQUESTED' },
);
