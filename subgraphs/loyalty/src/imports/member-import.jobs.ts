import { importJob } from '@loyalty/platform/imports/import-job';
import { memberImport } from './import-kinds.ts';
import { openMemberImport } from './member-import.service.ts';

/** Writes the rows of a file of members. */
export const importMembersJob = importJob(memberImport, openMemberImport);
