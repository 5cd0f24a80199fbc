import { catalogImport } from '@loyalty/commerce-subgraph/catalog/catalog-import.events';
import { orderImport } from '@loyalty/commerce-subgraph/orders/order-import.events';
import type { ImportDefinition } from '@loyalty/platform/imports/import-definition';
import type { ImportKind } from '#generated/schema';
import { memberImportRequested, membersImported } from './member-import.events.ts';
import { type MemberRow, memberFields, readMember } from './member-import.input.ts';

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

/** All kinds of imports; each is defined by the package that owns its rows. */
export const importKinds: Readonly<Record<ImportKind, ImportDefinition>> = {
  MEMBERS: memberImport,
  ORDERS: orderImport,
  CATALOG: catalogImport,
};
