import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/loading/loaders';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/loading/pages';

export interface Brand {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
}

const columns = 'b.id, b.name, b.created_at';
const WHERE = `${inScope('b')} AND ($3::text IS NULL OR position(lower($3) IN lower(b.name)) > 0)`;

export const brandById = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<Brand>(
    `SELECT ${columns} FROM commerce.brands AS b WHERE ${inScope('b')} AND b.id = ANY($3::uuid[])`,
    [...scopeOf(ctx), ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

/** Brands by name; a name is one brand. */
export async function brandsPage(
  ctx: Context,
  request: PageRequest,
  search: string | null,
): Promise<Page<Brand>> {
  const params = [...scopeOf(ctx), search];
  const { order, beyond } = scan(request, 'ASC');
  const rows = await ctx.sql.query<Brand>(
    `SELECT ${columns} FROM commerce.brands AS b
      WHERE ${WHERE} AND ($4::uuid IS NULL OR b.name ${beyond} (
              SELECT a.name FROM commerce.brands AS a
               WHERE ${inScope('a')} AND a.id = $4))
      ORDER BY b.name ${order} LIMIT $5 OFFSET $6`,
    [...params, request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows, async () => {
    const sql = `SELECT count(*)::int AS total FROM commerce.brands AS b WHERE ${WHERE}`;
    const [row] = await ctx.sql.query<{ total: number }>(sql, params);
    return row?.total ?? 0;
  });
}

export const brandsNamed = (ctx: Context, names: readonly string[]): Promise<Pick<Brand, 'id' | 'name'>[]> =>
  ctx.sql.query(
    `SELECT b.id, b.name FROM commerce.brands AS b WHERE ${inScope('b')} AND b.name = ANY($3::text[])`,
    [...scopeOf(ctx), names],
  );

/** Creates the missing ones. */
export async function insertBrands(
  tx: Context,
  brands: readonly Pick<Brand, 'id' | 'name'>[],
): Promise<void> {
  await tx.sql.query(
    `INSERT INTO commerce.brands (workspace_id, mode, id, name, created_at)
     SELECT $1, $2::platform."Mode", g.id, g.name, $5 FROM unnest($3::uuid[], $4::text[]) AS g(id, name)
     ON CONFLICT (workspace_id, mode, name) DO NOTHING`,
    [...scopeOf(tx), brands.map(({ id }) => id), brands.map(({ name }) => name), tx.clock.now()],
  );
}
