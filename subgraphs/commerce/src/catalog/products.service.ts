import { invalid, notFound } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import { audit } from '@loyalty/platform/identity/audit';
import { guardWrite } from '@loyalty/platform/identity/write-guard';
import { optionalText } from '../optional-text.ts';
import { ensureBrands } from './brands.service.ts';
import { ensureCategories, pathKey } from './categories.service.ts';
import { checkProduct, type ProductInput } from './products.input.ts';
import {
  archive,
  type CheckedProduct,
  type Product,
  type ProductStatus,
  productsPage,
  upsertRows,
  type WrittenRow,
} from './products.store.ts';

export type { ProductInput };

const MUTATION_ROWS_MAX = 100;
const ROWS_MAX = 1_000;

/** The result of one row. */
interface ProductResult {
  readonly externalId: string;
  readonly id: string | null;
  readonly outcome: WrittenRow['outcome'] | 'FAILED';
  readonly error: string | null;
}

/**
 * Lists products of the workspace, newest first.
 *
 * @throws AppError VALIDATION_FAILED for paging out of bounds
 * @remarks Source: v2 REST API, section 4, GET /products
 */
export async function listProducts(
  ctx: Context,
  args: PageArgs & {
    readonly search?: string | null | undefined;
    readonly categoryId?: string | null | undefined;
    readonly brandId?: string | null | undefined;
    readonly status?: ProductStatus | null | undefined;
  },
): Promise<Page<Product>> {
  return productsPage(ctx, pageRequest(args), {
    search: optionalText('search', args.search, 200),
    categoryId: args.categoryId ?? null,
    brandId: args.brandId ?? null,
    status: args.status ?? null,
  });
}

/**
 * Writes 1 to 100 products and counts the results.
 *
 * @throws AppError VALIDATION_FAILED (400), RATE_LIMITED (429), GUARD_UNAVAILABLE (503)
 */
export async function upsertProducts(ctx: Context, input: readonly ProductInput[]) {
  await guardWrite(ctx, 'record');
  if (input.length < 1 || input.length > MUTATION_ROWS_MAX)
    throw invalid('input', `must have 1 to ${MUTATION_ROWS_MAX} products`);
  const results = await upsertCatalog(ctx, input);
  const count = (outcome: ProductResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length;
  return {
    created: count('CREATED'),
    updated: count('UPDATED'),
    unchanged: count('UNCHANGED'),
    failed: count('FAILED'),
    results,
  };
}

/**
 * Writes up to 1,000 products by their external ids in one transaction and a few statements, together with
 * new categories and brands. An invalid row is reported and does not affect the others. Writing the same rows
 * again changes nothing.
 *
 * @returns one result per row, in the order of the rows
 */
export async function upsertCatalog(ctx: Context, inputs: readonly ProductInput[]): Promise<ProductResult[]> {
  if (inputs.length > ROWS_MAX) throw new RangeError(`At most ${ROWS_MAX} rows at once.`);
  const seen = new Set<string>();
  const checked = inputs.map((input) => {
    const found = checkProduct(input);
    if (!('row' in found)) return found;
    const { externalId } = found.row;
    if (seen.has(externalId)) return { error: 'externalId must occur only once in a call.' };
    seen.add(externalId);
    return found;
  });
  const rows = checked.flatMap((found) => ('row' in found ? [found.row] : []));
  const written = rows.length > 0 ? await ctx.transaction((tx) => write(tx, rows)) : [];
  const byExternalId = new Map(written.map((row) => [row.externalId, row]));
  return checked.map((found, index): ProductResult => {
    if ('error' in found)
      return { externalId: inputs[index]!.externalId, id: null, outcome: 'FAILED', error: found.error };
    const { externalId, id, outcome } = byExternalId.get(found.row.externalId)!;
    return { externalId, id, outcome, error: null };
  });
}

async function write(tx: Context, rows: readonly CheckedProduct[]): Promise<WrittenRow[]> {
  const categories = await ensureCategories(
    tx,
    rows.flatMap((row) => row.categoryPaths),
  );
  const brands = await ensureBrands(
    tx,
    rows.flatMap((row) => row.brand ?? []),
  );
  const ready = rows.map((row) => ({
    ...row,
    id: newId(tx.clock),
    categoryIds: [...new Set(row.categoryPaths.map((path) => categories.get(pathKey(path))!))].sort(),
    brandId: row.brand === null ? null : brands.get(row.brand)!,
  }));
  // All writers lock rows in the same order, so that two of them cannot deadlock.
  ready.sort((a, b) => (a.externalId < b.externalId ? -1 : 1));
  return upsertRows(tx, ready);
}

/**
 * Archives a product. Has no effect on a product that is archived already.
 *
 * @throws AppError PRODUCT_NOT_FOUND (404)
 */
export async function archiveProduct(ctx: Context, id: string): Promise<Product> {
  return ctx.transaction(async (tx) => {
    const product = await archive(tx, id);
    if (!product) throw notFound('product', id);
    const after = { status: product.status };
    await audit(tx, { action: 'archiveProduct', resourceType: 'Product', resourceId: id, after });
    return product;
  });
}
