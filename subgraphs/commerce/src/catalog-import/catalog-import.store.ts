import type { Context } from '@loyalty/platform/context';
import { newId } from '@loyalty/platform/ids';
import type { OnDuplicate } from '@loyalty/platform/imports/imports.store';
import type { ProductRow } from './catalog-import.rows.ts';

const scopeOf = (ctx: Context): unknown[] => [ctx.scope.workspaceId, ctx.scope.mode];

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
