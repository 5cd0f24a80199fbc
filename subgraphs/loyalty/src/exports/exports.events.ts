import { exportRequested } from '@loyalty/platform/exports/export-definition';

/** An export of members was asked for; a job writes its file. */
export const memberListExportRequested = exportRequested('loyalty.member_list_export_requested');

/** The same of entries of ledgers. */
export const pointsExportRequested = exportRequested('loyalty.points_export_requested');

/** The same of coupon codes. */
export const couponExportRequested = exportRequested('loyalty.coupon_export_requested');
