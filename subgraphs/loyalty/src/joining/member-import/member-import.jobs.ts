import { importJob } from '@loyalty/platform/imports/import-job';
import { openMemberImport } from './member-import.service.ts';

/** Writes the rows of a file of members; it goes on where it stopped. */
export const importMembersJob = importJob('loyalty.import-members', openMemberImport);
