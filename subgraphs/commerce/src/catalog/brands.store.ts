import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/database/pages';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { columns } from '@loyalty/prisma/columns';

export interface Brand {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
}

const WHERE = `${inScope('b')} AND ($3::text IS NULL OR position(lower($3) IN lower(b.name)) > 0)`;

export const brandById = loader(async (ctx, ids: readonly string[]) => {
  const where = { id: { in: [...ids] } };
  const rows = await ctx.prisma.brand.findMany({ where, select: columns('id', 'name', 'createdAt') });
  return new Map(rows.map((row) => [row.id, row]));
});

/** A page of brands, ordered by name. Names are unique. */
export async function brandsPage(
  ctx: Context,
  request: PageRequest,
  search: string | null,
): Promise<Page<Brand>> {
  const params = [...scopeOf(ctx), search];
  const { order, beyond } = scan(request, 'ASC');
  const rows = await ctx.sql.query<Brand>(
    `SELECT b.id, b.name, b.created_at FROM commerce.brands AS b
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
  ctx.prisma.brand.findMany({ where: { name: { in: [...names] } }, select: columns('id', 'name') });

/** Inserts the brands that do not exist yet. */
export async function insertBrands(
  tx: Context,
  brands: readonly Pick<Brand, 'id' | 'name'>[],
): Promise<void> {
  const createdAt = tx.clock.now();
  const data = brands.map((brand) => ({ ...brand, createdAt }));
  await tx.prisma.brand.createMany({ data, skipDuplicates: true });
}
