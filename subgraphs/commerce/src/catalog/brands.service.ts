import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import { optionalText } from '../optional-text.ts';
import { type Brand, brandById, brandsNamed, brandsPage, insertBrands } from './brands.store.ts';

/**
 * Finds the brands of the given names and creates the missing ones.
 *
 * @returns ids by name
 */
export async function ensureBrands(
  tx: Context,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(names)].sort();
  if (wanted.length === 0) return new Map();
  const found = await idsOf(tx, wanted);
  const missing = wanted.filter((name) => !found.has(name));
  if (missing.length === 0) return found;
  await insertBrands(
    tx,
    missing.map((name) => ({ id: newId(tx.clock), name })),
  );
  return idsOf(tx, wanted);
}

async function idsOf(tx: Context, names: readonly string[]): Promise<Map<string, string>> {
  const rows = await brandsNamed(tx, names);
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/** Returns a brand by id, or null if the workspace has no such brand. */
export const findBrand = (ctx: Context, id: string): Promise<Brand | null> => ctx.load(brandById, id);

/**
 * Lists brands, ordered by name.
 *
 * @throws AppError VALIDATION_FAILED for paging out of bounds
 * @remarks Source: v2 REST API, section 4, GET /brands
 */
export async function listBrands(
  ctx: Context,
  args: PageArgs & { readonly search?: string | null | undefined },
): Promise<Page<Brand>> {
  const search = optionalText('search', args.search, 100);
  return brandsPage(ctx, pageRequest(args), search);
}
