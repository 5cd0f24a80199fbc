import { catalogImport } from '@loyalty/commerce-subgraph/catalog/catalog-import.events';
import { orderImport } from '@loyalty/commerce-subgraph/orders/order-import.events';
import type { ImportDefinition } from '@loyalty/platform/imports/import-definition';
import type { ImportKind } from '#generated/schema';
import { memberImport } from '../member-import/member-import.definition.ts';

/** Every kind of import; each is defined by the package that owns its rows. */
export const importKinds: Readonly<Record<ImportKind, ImportDefinition>> = {
  MEMBERS: memberImport,
  ORDERS: orderImport,
  CATALOG: catalogImport,
};
