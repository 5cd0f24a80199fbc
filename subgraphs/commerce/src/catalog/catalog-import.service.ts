import type { Context } from '@loyalty/platform/context';
import type { ImportTarget, ReadRow } from '@loyalty/platform/imports/import-job';
import type { Import, ImportCounts } from '@loyalty/platform/imports/imports.store';
import { ensureBrands } from './brands.service.ts';
import type { ImportedProduct } from './catalog-import.input.ts';
import { upsertProducts } from './catalog-import.store.ts';
import { ensureCategories, pathKey } from './categories.service.ts';

/**
 * Writes products of a file by their external ids. Empty cells keep the stored values. Categories and brands
 * that do not exist are created.
 *
 * @remarks Source: requirement L-CAT-04
 */
export async function openCatalogImport(_: Context, job: Import): Promise<ImportTarget<ImportedProduct>> {
  return {
    tables: ['commerce.products', 'commerce.categories'],
    write: (tx, rows) => writeProducts(tx, job, rows),
  };
}

/** Merges rows with the same id in one batch, so that the result is the same as with separate batches. */
async function writeProducts(
  tx: Context,
  { onDuplicate }: Import,
  rows: readonly ReadRow<ImportedProduct>[],
): Promise<Omit<ImportCounts, 'failed'>> {
  const products = new Map<string, ImportedProduct>();
  let doubled = 0;
  for (const { row } of rows) {
    const before = products.get(row.externalId);
    if (before) doubled += 1;
    if (!before || onDuplicate === 'UPDATE') products.set(row.externalId, before ? merged(before, row) : row);
  }
  const named = [...products.values()];
  const brands = await ensureBrands(
    tx,
    named.flatMap(({ brand }) => brand ?? []),
  );
  const categories = await ensureCategories(
    tx,
    named.flatMap(({ category }) => (category ? [category] : [])),
  );
  const written = await upsertProducts(
    tx,
    onDuplicate,
    named.map((product) => ({
      ...product,
      brandId: product.brand === null ? null : (brands.get(product.brand) ?? null),
      categoryId: product.category === null ? null : (categories.get(pathKey(product.category)) ?? null),
    })),
  );
  const isUpdate = onDuplicate === 'UPDATE';
  return {
    inserted: written.inserted,
    updated: written.updated + (isUpdate ? doubled : 0),
    skipped: named.length - written.inserted - written.updated + (isUpdate ? 0 : doubled),
  };
}

function merged(before: ImportedProduct, after: ImportedProduct): ImportedProduct {
  const said = Object.entries(after).filter(([, value]) => value !== null);
  return { ...before, ...Object.fromEntries(said) };
}
