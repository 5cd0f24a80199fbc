import { minorPerMajor } from '../money.ts';

/** The terms of a rule, named as in the graph. */
export interface RuleTerms {
  readonly kind: 'BASE' | 'BONUS';
  readonly isActive: boolean;
  readonly appliesTo: 'ORDER' | 'RECEIPT' | 'BOTH';
  readonly priority: number;
  /** Points per major unit, up to four decimals. */
  readonly rate: number | null;
  readonly currency: string | null;
  readonly minimumMinor: bigint;
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
  readonly categoryIds: readonly string[];
  readonly productIds: readonly string[];
  /** Up to three decimals. */
  readonly multiplier: number | null;
  readonly extraPoints: number | null;
}

export interface Rule extends RuleTerms {
  readonly id: string;
  readonly createdAt: Date;
}

/** A purchase, with the details that rules use. */
export interface Purchase {
  readonly kind: 'ORDER' | 'RECEIPT';
  readonly totalMinor: bigint;
  readonly currency: string;
  readonly occurredAt: Date;
  readonly items: readonly PurchaseItem[];
}

interface PurchaseItem {
  readonly productId: string | null;
  /** The product's categories and all their parents. */
  readonly categoryIds: readonly string[];
  readonly amountMinor: bigint;
}

export interface Earning {
  /** Sum of the lines, before the multiplier of a tier. */
  readonly points: number;
  readonly lines: readonly EarningLine[];
}

/** The whole points that one rule gives. */
export interface EarningLine {
  readonly ruleId: string;
  readonly points: number;
}

/** The maximum of the ledger's integer column. */
export const POINTS_MAX = 2 ** 31 - 1;

const RATE_SCALE = 10_000n;
const MULTIPLIER_SCALE = 1_000n;

/**
 * Computes what a purchase earns. Only one base rule applies: the matching one with the highest priority, and
 * among equal priorities the oldest. Every matching bonus is added: a bonus with `multiplier` gives the base
 * points of its items times (multiplier - 1), a bonus with `extraPoints` gives these points once. Each line
 * is rounded down to whole points.
 */
export function evaluate(rules: readonly Rule[], purchase: Purchase): Earning {
  const applicable = rules.filter((rule) => applies(rule, purchase));
  const base = applicable.filter(({ kind }) => kind === 'BASE').sort(byPrecedence)[0];
  const bonuses = applicable.filter(({ kind }) => kind === 'BONUS');
  const lines = [
    ...(base
      ? [{ ruleId: base.id, points: pointsFor(purchase.totalMinor, base, MULTIPLIER_SCALE, purchase) }]
      : []),
    ...bonuses.map((bonus) => ({ ruleId: bonus.id, points: bonusPoints(bonus, base, purchase) })),
  ].filter(({ points }) => points > 0n);
  return bounded(lines);
}

/**
 * Multiplies points by the multiplier of a tier, rounded down, at most POINTS_MAX.
 *
 * @param multiplier - with at most three decimals
 */
export const multiplied = (points: number, multiplier: number): number =>
  atMost((BigInt(points) * scaled(multiplier, MULTIPLIER_SCALE)) / MULTIPLIER_SCALE, POINTS_MAX);

/** Whether any rule has conditions on categories or products of the items. */
export const hasTargets = (rules: readonly RuleTerms[]): boolean =>
  rules.some((rule) => rule.isActive && isTargeted(rule));

function applies(rule: Rule, { kind, currency, totalMinor, occurredAt }: Purchase): boolean {
  return (
    rule.isActive &&
    (rule.appliesTo === 'BOTH' || rule.appliesTo === kind) &&
    (rule.currency === null || rule.currency === currency) &&
    totalMinor >= rule.minimumMinor &&
    (rule.startsAt === null || occurredAt >= rule.startsAt) &&
    (rule.endsAt === null || occurredAt < rule.endsAt)
  );
}

const byPrecedence = (one: Rule, other: Rule): number =>
  other.priority - one.priority ||
  one.createdAt.getTime() - other.createdAt.getTime() ||
  (one.id < other.id ? -1 : 1);

const isTargeted = ({ categoryIds, productIds }: RuleTerms): boolean =>
  categoryIds.length + productIds.length > 0;

function bonusPoints(bonus: Rule, base: Rule | undefined, purchase: Purchase): bigint {
  const matched = isTargeted(bonus) ? matchedMinor(bonus, purchase) : purchase.totalMinor;
  if (matched === null) return 0n;
  if (bonus.extraPoints !== null) return BigInt(bonus.extraPoints);
  const more = scaled(bonus.multiplier ?? 1, MULTIPLIER_SCALE) - MULTIPLIER_SCALE;
  return base ? pointsFor(matched, base, more, purchase) : 0n;
}

/**
 * The price of the matching items before discounts, at most the total of the purchase; null if none matches.
 */
function matchedMinor({ categoryIds, productIds }: Rule, { items, totalMinor }: Purchase): bigint | null {
  const matching = items.filter(
    (item) =>
      (item.productId !== null && productIds.includes(item.productId)) ||
      item.categoryIds.some((id) => categoryIds.includes(id)),
  );
  if (matching.length === 0) return null;
  const sum = matching.reduce((total, { amountMinor }) => total + amountMinor, 0n);
  return sum < totalMinor ? sum : totalMinor;
}

/** @param times - the factor in thousandths */
const pointsFor = (amountMinor: bigint, base: Rule, times: bigint, { currency }: Purchase): bigint =>
  (amountMinor * scaled(base.rate ?? 0, RATE_SCALE) * times) /
  (RATE_SCALE * MULTIPLIER_SCALE * minorPerMajor(currency));

/** Scales a decimal to a whole number, so that amounts are never multiplied by floats. */
const scaled = (decimal: number, scale: bigint): bigint => BigInt(Math.round(decimal * Number(scale)));

const atMost = (points: bigint, most: number): number => (points > BigInt(most) ? most : Number(points));

/** Limits the lines so that their sum fits into the ledger's column. */
function bounded(lines: readonly { ruleId: string; points: bigint }[]): Earning {
  let points = 0;
  const fitting = lines.map((line) => {
    const share = atMost(line.points, POINTS_MAX - points);
    points += share;
    return { ruleId: line.ruleId, points: share };
  });
  return { points, lines: fitting };
}
