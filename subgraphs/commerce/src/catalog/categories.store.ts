import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/database/pages';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { columns } from '@loyalty/prisma/columns';

export interface Category {
  readonly id: string;
  readonly name: string;
  readonly parentId: string | null;
  readonly path: readonly string[];
  readonly createdAt: Date;
}

const select = columns('id', 'name', 'parentId', 'path', 'createdAt');

export const categoryById = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.prisma.category.findMany({ where: { id: { in: [...ids] } }, select });
  return new Map(rows.map((row) => [row.id, row]));
});

export const childrenByParent = loader(async (ctx, parentIds: readonly string[]) => {
  const where = { parentId: { in: [...parentIds] } };
  const rows = await ctx.prisma.category.findMany({ where, select, orderBy: { path: 'asc' } });
  return Map.groupBy(rows, ({ parentId }) => parentId!);
});

const OF_PARENT = `${inScope('c')} AND ($3::uuid IS NULL OR c.parent_id = $3)`;

/** A page of categories, ordered by path: parents before children. Paths are unique. */
export async function categoriesPage(
  ctx: Context,
  request: PageRequest,
  parentId: string | null,
): Promise<Page<Category>> {
  const params = [...scopeOf(ctx), parentId];
  const { order, beyond } = scan(request, 'ASC');
  const rows = await ctx.sql.query<Category>(
    `SELECT c.id, c.name, c.parent_id, c.path, c.created_at FROM commerce.categories AS c
      WHERE ${OF_PARENT} AND ($4::uuid IS NULL OR c.path ${beyond} (
              SELECT a.path FROM commerce.categories AS a
               WHERE ${inScope('a')} AND a.id = $4))
      ORDER BY c.path ${order} LIMIT $5 OFFSET $6`,
    [...params, request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows, async () => {
    const sql = `SELECT count(*)::int AS total FROM commerce.categories AS c WHERE ${OF_PARENT}`;
    const [row] = await ctx.sql.query<{ total: number }>(sql, params);
    return row?.total ?? 0;
  });
}

/**
 * A new category. Paths are sent as JSON, because PostgreSQL has no arrays of arrays of different lengths.
 */
interface NewCategory {
  readonly id: string;
  readonly path: readonly string[];
}

/** Inserts the categories that do not exist yet. All have the same depth, and their parents exist. */
export async function insertCategories(tx: Context, categories: readonly NewCategory[]): Promise<void> {
  await tx.sql.query(
    `INSERT INTO commerce.categories (workspace_id, mode, id, name, parent_id, path, created_at)
     SELECT $1, $2::platform."Mode", g.id, g.path[cardinality(g.path)], top.id, g.path, $4
       FROM (SELECT (e->>'id')::uuid AS id,
                    ARRAY(SELECT jsonb_array_elements_text(e->'path')) AS path
               FROM jsonb_array_elements($3::jsonb) AS e) AS g
       LEFT JOIN commerce.categories AS top
         ON ${inScope('top')}
        AND top.path = g.path[1:cardinality(g.path) - 1]
     ON CONFLICT (workspace_id, mode, path) DO NOTHING`,
    [...scopeOf(tx), JSON.stringify(categories), tx.clock.now()],
  );
}

export async function categoriesAt(
  ctx: Context,
  paths: readonly (readonly string[])[],
): Promise<Pick<Category, 'id' | 'path'>[]> {
  return ctx.sql.query(
    `SELECT c.id, c.path FROM commerce.categories AS c
      WHERE ${inScope('c')}
        AND c.path IN (SELECT ARRAY(SELECT jsonb_array_elements_text(e))
                         FROM jsonb_array_elements($3::jsonb) AS e)`,
    [...scopeOf(ctx), JSON.stringify(paths)],
  );
}
