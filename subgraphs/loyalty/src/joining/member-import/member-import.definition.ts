import type { ImportDefinition } from '@loyalty/platform/imports/import-definition';
import { memberImportRequested, membersImported } from './member-import.events.ts';
import { type MemberRow, memberFields, readMember } from './member-import.rows.ts';

/** Imports of members. */
export const memberImport: ImportDefinition<MemberRow> = {
  kind: 'MEMBERS',
  scope: 'members',
  fields: memberFields,
  reader: (ctx) => {
    const today = ctx.clock.now().toISOString().slice(0, 10);
    return (cells) => readMember(cells, today);
  },
  batchRows: 1_000,
  job: 'loyalty.import-members',
  requested: memberImportRequested,
  finished: membersImported,
};
