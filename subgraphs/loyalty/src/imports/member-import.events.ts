import { importFinished, importRequested } from '@loyalty/platform/imports/import-definition';

/** A file of members has arrived and waits for its job. */
export const memberImportRequested = importRequested('loyalty.member_import_requested');

/** An import of members has ended; single members publish nothing. */
export const membersImported = importFinished('members.imported', {
  webhook: {
    stage: 'acquisition',
    resource: 'importId',
    label: 'Members imported',
    description: 'An import of members has ended. Its members have no events of their own.',
  },
  changesAll: ['MEMBER', 'CUSTOM', 'TAGS', 'CONSENTS', 'TIER', 'POINTS'],
});
