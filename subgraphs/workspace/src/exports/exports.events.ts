import { exportRequested } from '@loyalty/platform/exports/export-definition';

/** An export of the audit log was requested; a job writes its file. */
export const auditExportRequested = exportRequested('workspace.audit_export_requested');
