import { exportJob } from '@loyalty/platform/exports/export-job';
import { exportedAudit } from './exported-audit.ts';

/** Writes a file of the audit log. */
export const exportAuditJob = exportJob(exportedAudit);
