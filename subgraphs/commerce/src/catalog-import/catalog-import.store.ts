import type { Context } from '@loyalty/platform/context';
import { newId } from '@loyalty/platform/ids';
import type { OnDuplicate } from '@loyalty/platform/imports/imports.store';
import type { ProductRow } from './catalog-import.rows.ts';

const scopeOf = (ctx: Context): unknown[] => [ctx.scope.workspaceId, ctx.scope.mode];

/** Ids of brands by name; those that are new come into being. */
export async function putBrands(tx: Context, names: readonly string[]): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  const sorted = names.toSorted();
  await tx.sql.query(
    `INSERT INTO commerce.brands (workspace_id, mode, id, name, created_at)
     SELECT $1, $2::platform."Mode", e.id, e.name, $5 FROM unnest($3::uuid[], $4::text[]) AS e(id, name)
     ON CONFLICT (workspace_id, mode, name) DO NOTHING`,
    [...scopeOf(tx), sorted.map(() => newId(tx.clock)), sorted, tx.clock.now()],
  );
  const rows = await tx.sql.query<{ id: string; name: string }>(
    `SELECT id, name FROM commerce.brands
      WHERE workspace_id = $1 AND mode = $2::platform."Mode" AND name = ANY($3::text[])`,
    [...scopeOf(tx), sorted],
  );
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/**
 * Ids of categories by their path; those that are new come into being, from the root down.
 *
 * @param paths - as JSON lists of names
 */
export async function putCategories(tx: Context, paths: readonly string[]): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  const wanted = new Set(
    paths.flatMap((path) => {
      const names = JSON.parse(path) as string[];
      return names.map((_, index) => JSON.stringify(names.slice(0, index + 1)));
    }),
  );
  const levels = Map.groupBy([...wanted].sort(), (path) => (JSON.parse(path) as string[]).length);
  for (const [, level] of [...levels].sort(([a], [b]) => a - b)) {
    for (const [path, id] of await putLevel(tx, level, ids)) ids.set(path, id);
  }
  return ids;
}

/** Categories of one depth, whose parents are known. */
async function putLevel(
  tx: Context,
  level: readonly string[],
  parents: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const rows = level.map((key) => {
    const path = JSON.parse(key) as string[];
    const parentId = parents.get(JSON.stringify(path.slice(0, -1))) ?? null;
    return { id: newId(tx.clock), parentId, path };
  });
  await tx.sql.query(
    `INSERT INTO commerce.categories (workspace_id, mode, id, name, parent_id, path, created_at)
     SELECT $1, $2::platform."Mode", e.id, e.path[cardinality(e.path)], e."parentId", e.path, $4
       FROM jsonb_to_recordset($3::jsonb) AS e(id uuid, "parentId" uuid, path text[])
     ON CONFLICT (workspace_id, mode, path) DO NOTHING`,
    [...scopeOf(tx), JSON.stringify(rows), tx.clock.now()],
  );
  const found = await tx.sql.query<{ id: string; path: string[] }>(
    `SELECT c.id, c.path FROM jsonb_to_recordset($3::jsonb) AS e(path text[])
       JOIN commerce.categories AS c
         ON c.workspace_id = $1 AND c.mode = $2::platform."Mode" AND c.path = e.path`,
    [...scopeOf(tx), JSON.stringify(rows)],
  );
  return new Map(found.map(({ id, path }) => [JSON.stringify(path), id]));
}

export interface ProductToWrite extends Omit<ProductRow, 'brand' | 'category'> {
  readonly brandId: string | null;
  readonly categoryId: string | null;
}

/**
 * Writes products in one statement: what a row does not say stays, and a row that says nothing new changes
 * nothing.
 */
export async function upsertProducts(
  tx: Context,
  onDuplicate: OnDuplicate,
  products: readonly ProductToWrite[],
): Promise<{ readonly inserted: number; readonly updated: number }> {
  const rows = products.map((product) => ({ ...product, id: newId(tx.clock) }));
  const [counted] = await tx.sql.query<{ inserted: number; updated: number }>(UPSERT, [
    ...scopeOf(tx),
    JSON.stringify(rows),
    tx.clock.now(),
    onDuplicate === 'UPDATE',
  ]);
  return counted!;
}

const UPSERT = `
  WITH written AS (
    INSERT INTO commerce.products AS p
      (workspace_id, mode, id, external_id, sku, name, description, price_minor, currency, status,
       category_ids, brand_id, image_url, created_at, updated_at)
    SELECT $1::uuid, $2::platform."Mode", e.id, e."externalId", coalesce(e.sku, k.sku), e.name,
           coalesce(e.description, k.description), coalesce(e."priceMinor", k.price_minor),
           coalesce(e.currency, k.currency), coalesce(e.status, k.status, 'ACTIVE'),
           CASE WHEN e."categoryId" IS NULL THEN coalesce(k.category_ids, '{}')
                ELSE ARRAY[e."categoryId"] END,
           coalesce(e."brandId", k.brand_id), coalesce(e."imageUrl", k.image_url), $4, $4
      FROM jsonb_to_recordset($3::jsonb) AS e
             (id uuid, "externalId" text, sku text, name text, description text, "priceMinor" bigint,
              currency text, status commerce."ProductStatus", "categoryId" uuid, "brandId" uuid,
              "imageUrl" text)
      LEFT JOIN commerce.products AS k
             ON k.workspace_id = $1 AND k.mode = $2::platform."Mode" AND k.external_id = e."externalId"
     ORDER BY e."externalId"
    ON CONFLICT (workspace_id, mode, external_id) DO UPDATE
       SET sku = excluded.sku, name = excluded.name, description = excluded.description,
           price_minor = excluded.price_minor, currency = excluded.currency, status = excluded.status,
           category_ids = excluded.category_ids, brand_id = excluded.brand_id,
           image_url = excluded.image_url, updated_at = excluded.updated_at
     WHERE $5 AND (p.sku, p.name, p.description, p.price_minor, p.currency, p.status, p.category_ids,
                   p.brand_id, p.image_url)
                  IS DISTINCT FROM
                  (excluded.sku, excluded.name, excluded.description, excluded.price_minor, excluded.currency,
                   excluded.status, excluded.category_ids, excluded.brand_id, excluded.image_url)
    RETURNING (xmax = 0) AS is_new)
  SELECT count(*) FILTER (WHERE is_new)::int AS inserted, count(*) FILTER (WHERE NOT is_new)::int AS updated
    FROM written`;
