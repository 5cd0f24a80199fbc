import type { ImportDefinition } from '@loyalty/platform/imports/import-definition';
import { catalogImported, catalogImportRequested } from './catalog-import.events.ts';
import { type ImportedProduct, productFields, readProduct } from './catalog-import.rows.ts';

/** Imports of products. */
export const catalogImport: ImportDefinition<ImportedProduct> = {
  kind: 'CATALOG',
  scope: 'catalog',
  fields: productFields,
  reader: () => readProduct,
  batchRows: 1_000,
  job: 'commerce.import-catalog',
  requested: catalogImportRequested,
  finished: catalogImported,
};
