import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import {
  type Category,
  categoriesAt,
  categoriesPage,
  categoryById,
  insertCategories,
} from './categories.store.ts';

type Path = readonly string[];

/** The key of a path in maps. */
export const pathKey = (path: Path): string => JSON.stringify(path);

/**
 * Finds the categories of the given paths and creates the missing ones, with their parents: one INSERT for
 * each depth with missing categories, and at most two reads.
 *
 * @returns ids by `pathKey`
 */
export async function ensureCategories(
  tx: Context,
  paths: readonly Path[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Map(
    paths
      .flatMap((path) => path.map((_, depth) => path.slice(0, depth + 1)))
      .map((path) => [pathKey(path), path]),
  );
  if (wanted.size === 0) return new Map();
  const found = await idsAt(tx, [...wanted.values()]);
  const missing = [...wanted].filter(([key]) => !found.has(key)).sort(([a], [b]) => (a < b ? -1 : 1));
  if (missing.length === 0) return found;
  const byDepth = Map.groupBy(missing, ([, path]) => path.length);
  for (const depth of [...byDepth.keys()].sort((a, b) => a - b)) {
    const categories = byDepth.get(depth)!.map(([, path]) => ({ id: newId(tx.clock), path }));
    await insertCategories(tx, categories);
  }
  return idsAt(tx, [...wanted.values()]);
}

async function idsAt(tx: Context, paths: readonly Path[]): Promise<Map<string, string>> {
  const rows = await categoriesAt(tx, paths);
  return new Map(rows.map(({ id, path }) => [pathKey(path), id]));
}

/** Returns the categories with the given ids, in the order of the ids. Unknown ids are omitted. */
export async function findCategories(ctx: Context, ids: readonly string[]): Promise<Category[]> {
  const found = await Promise.all(ids.map((id) => ctx.load(categoryById, id)));
  return found.filter((category) => category !== null);
}

/**
 * Lists categories, ordered by path: parents before children.
 *
 * @throws AppError VALIDATION_FAILED for paging out of bounds
 * @remarks Source: v2 REST API, section 4, GET /categories
 */
export async function listCategories(
  ctx: Context,
  args: PageArgs & { readonly parentId?: string | null | undefined },
): Promise<Page<Category>> {
  return categoriesPage(ctx, pageRequest(args), args.parentId ?? null);
}
