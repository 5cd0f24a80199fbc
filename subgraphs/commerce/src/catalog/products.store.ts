import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/database/pages';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';

export type ProductStatus = 'ACTIVE' | 'ARCHIVED';

interface ProductDetails {
  readonly externalId: string;
  readonly sku: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly priceMinor: bigint | null;
  readonly currency: string | null;
  readonly imageUrl: string | null;
}

export interface Product extends ProductDetails {
  readonly id: string;
  readonly status: ProductStatus;
  readonly categoryIds: readonly string[];
  readonly brandId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A validated row, with categories and brand by name. A status of null does not change the status. */
export interface CheckedProduct extends ProductDetails {
  readonly status: ProductStatus | null;
  readonly categoryPaths: readonly (readonly string[])[];
  readonly brand: string | null;
}

interface ReadyRow extends ProductDetails {
  /** The id that a new product receives. */
  readonly id: string;
  readonly status: ProductStatus | null;
  readonly categoryIds: readonly string[];
  readonly brandId: string | null;
}

export interface WrittenRow {
  readonly externalId: string;
  readonly id: string;
  readonly outcome: 'CREATED' | 'UPDATED' | 'UNCHANGED';
}

const columns = `p.id, p.external_id, p.sku, p.name, p.description, p.price_minor, p.currency, p.status,
  p.category_ids, p.brand_id, p.image_url, p.created_at, p.updated_at`;

export const productById = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<Product>(
    `SELECT ${columns} FROM commerce.products AS p WHERE ${inScope('p')} AND p.id = ANY($3::uuid[])`,
    [...scopeOf(ctx), ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

interface ProductFilter {
  readonly search: string | null;
  readonly categoryId: string | null;
  readonly brandId: string | null;
  readonly status: ProductStatus | null;
}

/** A category includes the products of its subcategories. */
const WHERE = `${inScope('p')}
  AND ($3::text IS NULL OR position(lower($3) IN lower(p.name)) > 0
       OR position(lower($3) IN lower(p.sku)) > 0 OR p.external_id = $3)
  AND ($4::uuid IS NULL OR p.category_ids && ARRAY(
        SELECT c.id FROM commerce.categories AS c
          JOIN commerce.categories AS top ON top.workspace_id = $1 AND top.mode = c.mode AND top.id = $4
         WHERE ${inScope('c')}
           AND c.path[1:cardinality(top.path)] = top.path))
  AND ($5::uuid IS NULL OR p.brand_id = $5)
  AND ($6::commerce."ProductStatus" IS NULL OR p.status = $6)`;

export async function productsPage(
  ctx: Context,
  request: PageRequest,
  { search, categoryId, brandId, status }: ProductFilter,
): Promise<Page<Product>> {
  const params = [...scopeOf(ctx), search, categoryId, brandId, status];
  const { order, beyond } = scan(request);
  const rows = await ctx.sql.query<Product>(
    `SELECT ${columns} FROM commerce.products AS p WHERE ${WHERE} AND ($7::uuid IS NULL OR p.id ${beyond} $7)
      ORDER BY p.id ${order} LIMIT $8 OFFSET $9`,
    [...params, request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows, async () => {
    const sql = `SELECT count(*)::int AS total FROM commerce.products AS p WHERE ${WHERE}`;
    const [counted] = await ctx.sql.query<{ total: number }>(sql, params);
    return counted?.total ?? 0;
  });
}

/** A row without changes is not written. `xmax` is 0 only in a new row. */
const UPSERT = `
WITH given AS (
  SELECT g.*, ARRAY(SELECT jsonb_array_elements_text(g.categories)::uuid) AS category_ids
    FROM jsonb_to_recordset($3::jsonb) AS g(id uuid, external_id text, sku text, name text, description text,
      price_minor bigint, currency char(3), status commerce."ProductStatus", categories jsonb, brand_id uuid,
      image_url text)
), written AS (
  INSERT INTO commerce.products AS p (workspace_id, mode, id, external_id, sku, name, description,
    price_minor, currency, status, category_ids, brand_id, image_url, created_at, updated_at)
  SELECT $1, $2::platform."Mode", g.id, g.external_id, g.sku, g.name, g.description, g.price_minor,
         g.currency, coalesce(g.status, 'ACTIVE'), g.category_ids, g.brand_id, g.image_url, $4, $4
    FROM given AS g
  ON CONFLICT (workspace_id, mode, external_id) DO UPDATE
     SET sku = excluded.sku, name = excluded.name, description = excluded.description,
         price_minor = excluded.price_minor, currency = excluded.currency, status = coalesce((
           SELECT g.status FROM given AS g WHERE g.external_id = p.external_id), p.status),
         category_ids = excluded.category_ids, brand_id = excluded.brand_id,
         image_url = excluded.image_url, updated_at = excluded.updated_at
   WHERE (p.sku, p.name, p.description, p.price_minor, p.currency, p.category_ids, p.brand_id, p.image_url)
         IS DISTINCT FROM (excluded.sku, excluded.name, excluded.description, excluded.price_minor,
           excluded.currency, excluded.category_ids, excluded.brand_id, excluded.image_url)
      OR p.status <> coalesce((SELECT g.status FROM given AS g WHERE g.external_id = p.external_id), p.status)
  RETURNING p.external_id, p.id, p.xmax = 0 AS is_new
)
SELECT w.external_id, w.id, CASE WHEN w.is_new THEN 'CREATED' ELSE 'UPDATED' END AS outcome
  FROM written AS w`;

/** Writes rows whose external ids are distinct. */
export async function upsertRows(tx: Context, rows: readonly ReadyRow[]): Promise<WrittenRow[]> {
  const given = rows.map((row) => ({
    id: row.id,
    external_id: row.externalId,
    sku: row.sku,
    name: row.name,
    description: row.description,
    price_minor: row.priceMinor?.toString() ?? null,
    currency: row.currency,
    status: row.status,
    categories: row.categoryIds,
    brand_id: row.brandId,
    image_url: row.imageUrl,
  }));
  const written = await tx.sql.query<WrittenRow>(UPSERT, [
    ...scopeOf(tx),
    JSON.stringify(given),
    tx.clock.now(),
  ]);
  const names = new Set(written.map(({ externalId }) => externalId));
  const others = rows.map(({ externalId }) => externalId).filter((externalId) => !names.has(externalId));
  if (others.length === 0) return written;
  const unchanged = await tx.sql.query<WrittenRow>(
    `SELECT p.external_id, p.id, 'UNCHANGED' AS outcome FROM commerce.products AS p
      WHERE ${inScope('p')} AND p.external_id = ANY($3::text[])`,
    [...scopeOf(tx), others],
  );
  return [...written, ...unchanged];
}

/** Archives a product and returns it, or null if the workspace has no such product. */
export async function archive(tx: Context, id: string): Promise<Product | null> {
  const [row] = await tx.sql.query<Product>(
    `UPDATE commerce.products AS p
        SET status = 'ARCHIVED', updated_at = CASE WHEN p.status = 'ARCHIVED' THEN p.updated_at ELSE $4 END
      WHERE ${inScope('p')} AND p.id = $3
     RETURNING ${columns}`,
    [...scopeOf(tx), id, tx.clock.now()],
  );
  return row ?? null;
}
