import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { columns } from '@loyalty/prisma/columns';
import type { Rule, RuleTerms } from './evaluate-earning.ts';

/** The details of a rule that an admin can set. */
export interface EarningRuleDetails extends RuleTerms {
  readonly name: string;
}

export interface EarningRule extends EarningRuleDetails, Rule {}

type Row = Omit<EarningRule, 'rate' | 'multiplier'> & {
  readonly rate: string | null;
  readonly multiplier: string | null;
};

const COLUMNS = `id, kind, name, is_active, applies_to, priority, rate, currency, minimum_minor, starts_at,
  ends_at, category_ids, product_ids, multiplier, extra_points, created_at`;

/** A double represents a small number with four decimals exactly enough for `scaled`, which rounds. */
const numberOf = (text: string | null): number | null => (text === null ? null : Number(text));

const ruleOf = (row: Row): EarningRule => ({
  ...row,
  rate: numberOf(row.rate),
  multiplier: numberOf(row.multiplier),
});

export const earningRuleById = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<Row>(
    `SELECT ${COLUMNS} FROM commerce.earning_rules WHERE workspace_id = $1 AND id = ANY($2::uuid[])`,
    [ctx.scope.workspaceId, ids],
  );
  return new Map(rows.map((row) => [row.id, ruleOf(row)]));
});

/** All rules of the workspace, in the order in which base rules are tried. */
export async function allRules(ctx: Context): Promise<EarningRule[]> {
  const rows = await ctx.sql.query<Row>(
    `SELECT ${COLUMNS} FROM commerce.earning_rules WHERE workspace_id = $1
      ORDER BY priority DESC, created_at, id`,
    [ctx.scope.workspaceId],
  );
  return rows.map(ruleOf);
}

/**
 * Locks the rules of the workspace against other changes, because a change validates the number and the names
 * of all rules.
 */
export async function lockRules(ctx: Context): Promise<void> {
  await ctx.sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('commerce.earning_rules:' || $1, 0))`, [
    ctx.scope.workspaceId,
  ]);
}

/** Inserts a rule and returns it as given: validated details are stored without rounding. */
export async function insertRule(ctx: Context, id: string, rule: EarningRuleDetails): Promise<EarningRule> {
  const now = ctx.clock.now();
  await ctx.prisma.earningRule.createMany({ data: [{ id, ...rule, createdAt: now, updatedAt: now }] });
  return { id, ...rule, createdAt: now };
}

export async function changeRule(ctx: Context, id: string, rule: EarningRuleDetails): Promise<EarningRule> {
  const data = { ...rule, updatedAt: ctx.clock.now() };
  const [row] = await ctx.prisma.earningRule.updateManyAndReturn({
    where: { id },
    data,
    select: columns('createdAt'),
  });
  return { id, ...rule, ...row! };
}

export async function removeRule(ctx: Context, id: string): Promise<void> {
  await ctx.prisma.earningRule.deleteMany({ where: { id } });
}

interface ProductCategories {
  readonly id: string;
  readonly externalId: string;
  /** The product's categories and all their parents. */
  readonly categoryIds: readonly string[];
}

/** The categories of products, found by id or external id. Products that the catalog lacks are omitted. */
export async function categoriesOfProducts(
  ctx: Context,
  ids: readonly string[],
  externalIds: readonly string[],
): Promise<ProductCategories[]> {
  return ctx.sql.query<ProductCategories>(
    `WITH RECURSIVE wanted AS (
       SELECT id, external_id, category_ids FROM commerce.products
        WHERE ${inScope('products')} AND id = ANY($3::uuid[])
       UNION
       SELECT id, external_id, category_ids FROM commerce.products
        WHERE ${inScope('products')} AND external_id = ANY($4::text[])
     ), above AS (
       SELECT DISTINCT own AS origin, own AS id FROM wanted CROSS JOIN unnest(wanted.category_ids) AS own
       UNION
       SELECT above.origin, c.parent_id FROM above JOIN commerce.categories AS c
           ON ${inScope('c')} AND c.id = above.id
        WHERE c.parent_id IS NOT NULL
     )
     SELECT w.id, w.external_id,
            ARRAY(SELECT DISTINCT above.id FROM above
                   WHERE above.origin = ANY(w.category_ids))::uuid[] AS category_ids
       FROM wanted AS w`,
    [...scopeOf(ctx), ids, externalIds],
  );
}
