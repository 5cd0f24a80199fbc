import { conflict, notFound } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/identity/audit';
import { checkRule, type RuleInput } from './earning-rules.input.ts';
import {
  allRules,
  categoriesOfProducts,
  changeRule,
  type EarningRule,
  earningRuleById,
  insertRule,
  lockRules,
  removeRule,
} from './earning-rules.store.ts';
import { type Earning, evaluate, hasTargets, type Purchase } from './evaluate-earning.ts';

const RULES_MAX = 200;

/**
 * An item of a purchase, with one of the ids of its product. An item without such an id matches no product
 * bonus.
 */
interface EarningItem {
  readonly productId?: string | null | undefined;
  readonly externalProductId?: string | null | undefined;
  /** Unit price times quantity, in minor units. */
  readonly amountMinor: bigint;
}

/** A purchase whose points are computed. */
interface EarningFact extends Omit<Purchase, 'items'> {
  readonly items: readonly EarningItem[];
}

/** Lists the rules of the workspace, in the order in which base rules are tried. */
export const listEarningRules = (ctx: Context): Promise<EarningRule[]> => allRules(ctx);

/**
 * Returns a rule of the workspace.
 *
 * @throws AppError EARNING_RULE_NOT_FOUND (404)
 */
export async function getEarningRule(ctx: Context, id: string): Promise<EarningRule> {
  const rule = await ctx.load(earningRuleById, id);
  if (!rule) throw notFound('earning rule', id);
  return rule;
}

/**
 * Computes the points that a purchase earns by the rules of the workspace, before the multiplier of a tier.
 *
 * @returns whole points, in total and by rule; without rules, zero
 */
export async function evaluateEarning(ctx: Context, fact: EarningFact): Promise<Earning> {
  const [earning] = await evaluateEarnings(ctx, [fact]);
  return earning!;
}

/**
 * As `evaluateEarning`, for many purchases with at most two statements. The results are in the order of
 * `facts`.
 */
export async function evaluateEarnings(ctx: Context, facts: readonly EarningFact[]): Promise<Earning[]> {
  if (facts.length === 0) return [];
  const rules = await allRules(ctx);
  const productOf = hasTargets(rules) ? await findProducts(ctx, facts) : () => null;
  return facts.map((fact) =>
    evaluate(rules, { ...fact, items: fact.items.map((item) => withCategories(item, productOf(item))) }),
  );
}

type CatalogProduct = { readonly id: string; readonly categoryIds: readonly string[] } | null | undefined;

const withCategories = ({ productId = null, amountMinor }: EarningItem, product: CatalogProduct) => ({
  productId: product?.id ?? productId,
  categoryIds: product?.categoryIds ?? [],
  amountMinor,
});

async function findProducts(
  ctx: Context,
  facts: readonly EarningFact[],
): Promise<(item: EarningItem) => CatalogProduct> {
  const items = facts.flatMap((fact) => fact.items);
  const idsOf = (field: 'productId' | 'externalProductId') => [
    ...new Set(items.flatMap((item) => item[field] ?? [])),
  ];
  const [ids, externalIds] = [idsOf('productId'), idsOf('externalProductId')];
  const found = ids.length + externalIds.length > 0 ? await categoriesOfProducts(ctx, ids, externalIds) : [];
  const byId = new Map(found.map((product) => [product.id, product]));
  const byExternalId = new Map(found.map((product) => [product.externalId, product]));
  return ({ productId, externalProductId }) =>
    productId ? byId.get(productId) : byExternalId.get(externalProductId ?? '');
}

/**
 * Adds a rule. It applies to purchases that are recorded from now on and fall into its window.
 *
 * @throws AppError VALIDATION_FAILED (400), EARNING_RULE_EXISTS, EARNING_RULE_LIMIT (409)
 */
export async function createEarningRule(ctx: Context, input: RuleInput): Promise<EarningRule> {
  const details = checkRule(input);
  return ctx.transaction(async (tx) => {
    await lockRules(tx);
    const rules = await allRules(tx);
    if (rules.length >= RULES_MAX)
      throw conflict('EARNING_RULE_LIMIT', `There are ${RULES_MAX} rules. Delete one that has ended first.`);
    checkName(rules, details.name);
    const rule = await insertRule(tx, newId(tx.clock), details);
    await auditRule(tx, 'createEarningRule', rule.id, null, rule);
    return rule;
  });
}

/**
 * Replaces a rule as a whole.
 *
 * @throws AppError VALIDATION_FAILED (400), EARNING_RULE_NOT_FOUND (404), EARNING_RULE_EXISTS (409)
 */
export async function updateEarningRule(ctx: Context, id: string, input: RuleInput): Promise<EarningRule> {
  const details = checkRule(input);
  return ctx.transaction(async (tx) => {
    const { before, others } = await lockRule(tx, id);
    checkName(others, details.name);
    const after = await changeRule(tx, id, details);
    await auditRule(tx, 'updateEarningRule', id, before, after);
    return after;
  });
}

/**
 * Deletes a rule. Points that it gave do not change.
 *
 * @returns the id of the deleted rule
 * @throws AppError EARNING_RULE_NOT_FOUND (404)
 */
export async function deleteEarningRule(ctx: Context, id: string): Promise<string> {
  return ctx.transaction(async (tx) => {
    const { before } = await lockRule(tx, id);
    await removeRule(tx, id);
    await auditRule(tx, 'deleteEarningRule', id, before, null);
    return id;
  });
}

/** Reads a rule and the other rules, and locks them until the transaction ends. */
async function lockRule(tx: Context, id: string): Promise<{ before: EarningRule; others: EarningRule[] }> {
  await lockRules(tx);
  const rules = await allRules(tx);
  const before = rules.find((rule) => rule.id === id);
  if (!before) throw notFound('earning rule', id);
  return { before, others: rules.filter((rule) => rule !== before) };
}

function checkName(others: readonly EarningRule[], name: string): void {
  if (others.some((other) => other.name === name))
    throw conflict('EARNING_RULE_EXISTS', 'A rule has this name. Choose another.', { field: 'input.name' });
}

const auditRule = (
  tx: Context,
  action: string,
  resourceId: string,
  before: EarningRule | null,
  after: EarningRule | null,
): Promise<void> =>
  audit(tx, {
    action,
    resourceType: 'EarningRule',
    resourceId,
    before: auditedRule(before),
    after: auditedRule(after),
  });

/** A rule in an audit entry. JSON has no bigint. */
const auditedRule = (rule: EarningRule | null) =>
  rule && { ...rule, minimumMinor: Number(rule.minimumMinor) };
