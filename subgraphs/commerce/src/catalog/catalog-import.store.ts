import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { OnDuplicate } from '@loyalty/platform/imports/imports.store';
import type { ImportedProduct } from './catalog-import.input.ts';

export interface ProductToWrite extends Omit<ImportedProduct, 'brand' | 'category'> {
  readonly brandId: string | null;
  readonly categoryId: string | null;
}

/**
 * Writes products in one statement. Fields without a value keep the stored value, and a row without changes
 * is not written.
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

/**
 * Fields without a value keep the current value of the conflicting row, not the value at the start of the
 * statement: another import that inserts the same products at the same time is not overwritten.
 */
const MERGED = `coalesce(excluded.sku, p.sku), excluded.name, coalesce(excluded.description, p.description),
  coalesce(excluded.price_minor, p.price_minor), coalesce(excluded.currency, p.currency), excluded.status,
  CASE WHEN excluded.category_ids = '{}' THEN p.category_ids ELSE excluded.category_ids END,
  coalesce(excluded.brand_id, p.brand_id), coalesce(excluded.image_url, p.image_url)`;

const UPSERT = `
  WITH written AS (
    INSERT INTO commerce.products AS p
      (workspace_id, mode, id, external_id, sku, name, description, price_minor, currency, status,
       category_ids, brand_id, image_url, created_at, updated_at)
    SELECT $1::uuid, $2::platform."Mode", e.id, e."externalId", e.sku, e.name, e.description,
           e."priceMinor", e.currency, coalesce(e.status, k.status, 'ACTIVE'),
           CASE WHEN e."categoryId" IS NULL THEN '{}' ELSE ARRAY[e."categoryId"] END,
           e."brandId", e."imageUrl", $4, $4
      FROM jsonb_to_recordset($3::jsonb) AS e
             (id uuid, "externalId" text, sku text, name text, description text, "priceMinor" bigint,
              currency text, status commerce."ProductStatus", "categoryId" uuid, "brandId" uuid,
              "imageUrl" text)
      LEFT JOIN commerce.products AS k
             ON ${inScope('k')} AND k.external_id = e."externalId"
     ORDER BY e."externalId"
    ON CONFLICT (workspace_id, mode, external_id) DO UPDATE
       SET (sku, name, description, price_minor, currency, status, category_ids, brand_id, image_url) =
           ROW(${MERGED}), updated_at = excluded.updated_at
     WHERE $5 AND (p.sku, p.name, p.description, p.price_minor, p.currency, p.status, p.category_ids,
                   p.brand_id, p.image_url)
                  IS DISTINCT FROM
                  (${MERGED})
    RETURNING (xmax = 0) AS is_new)
  SELECT count(*) FILTER (WHERE is_new)::int AS inserted, count(*) FILTER (WHERE NOT is_new)::int AS updated
    FROM written`;
