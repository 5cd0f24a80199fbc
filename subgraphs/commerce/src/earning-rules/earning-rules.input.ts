import { invalid } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { isUuid } from '@loyalty/platform/base/ids';
import { checkText, type Given } from '@loyalty/platform/base/input';
import { between, inputRule, listAtMost } from '@loyalty/platform/base/input-rules';
import { checkAmount } from '../money.ts';
import type { EarningRuleDetails } from './earning-rules.store.ts';
import type { RuleTerms } from './evaluate-earning.ts';

/** A rule as a client sends it. Absent fields have the defaults of the SDL. */
export type RuleInput = Given<Omit<EarningRuleDetails, 'minimumMinor'>> &
  Pick<EarningRuleDetails, 'kind' | 'name'> & { readonly minimumMinor?: number | bigint | null | undefined };

const PRIORITY_MAX = 10_000;
const RATE_MAX = 10_000;
const MULTIPLIER_MAX = 100;
const EXTRA_POINTS_MAX = 1_000_000;
const TARGETS_MAX = 200;

/**
 * Validates a rule and returns it with all defaults.
 *
 * @throws AppError VALIDATION_FAILED naming the field
 */
export function checkRule(input: RuleInput): EarningRuleDetails {
  const { priority, startsAt = null, endsAt = null } = input;
  return gathered((check) => ({
    kind: input.kind,
    priority: check(() => checkPriority(priority ?? 0)),
    startsAt,
    endsAt: check(() => {
      if (startsAt && endsAt && endsAt <= startsAt)
        throw invalid('input.endsAt', inputRule('END_BEFORE_START', 'must be after startsAt'));
      return endsAt;
    }),
    name: check(() => checkText('input.name', input.name, 100)),
    isActive: input.isActive ?? true,
    appliesTo: input.appliesTo ?? 'BOTH',
    currency: input.currency ?? null,
    minimumMinor: check(() => checkAmount('input.minimumMinor', input.minimumMinor ?? 0n)),
    ...check(() => (input.kind === 'BASE' ? baseTerms(input) : bonusTerms(input))),
  }));
}

function checkPriority(priority: number): number {
  if (priority < 0 || priority > PRIORITY_MAX) throw invalid('input.priority', between(0, PRIORITY_MAX));
  return priority;
}

type Terms = Pick<RuleTerms, 'rate' | 'categoryIds' | 'productIds' | 'multiplier' | 'extraPoints'>;

function baseTerms({ rate, multiplier, extraPoints, categoryIds, productIds }: RuleInput): Terms {
  const bonusOnly = { multiplier, extraPoints, categoryIds, productIds };
  return gathered((check) => {
    const checkedRate = check(() => checkRate(rate));
    for (const [name, value] of Object.entries(bonusOnly)) {
      check(() => {
        if (Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined)
          throw invalid(`input.${name}`, 'is for bonus rules only');
      });
    }
    return { rate: checkedRate, multiplier: null, extraPoints: null, categoryIds: [], productIds: [] };
  });
}

function checkRate(rate: number | null | undefined): number {
  if (rate === null || rate === undefined)
    throw invalid('input.rate', inputRule('REQUIRED', 'is required of a base rule'));
  if (!isBetween(rate, 0, RATE_MAX, 10_000))
    throw invalid(
      'input.rate',
      inputRule('BETWEEN', `must be between 0 and ${RATE_MAX}, with at most four decimals`, {
        min: 0,
        max: RATE_MAX,
      }),
    );
  return rate;
}

function bonusTerms(input: RuleInput): Terms {
  const { rate, multiplier = null, extraPoints = null } = input;
  return gathered((check) => {
    check(() => {
      if (rate !== null && rate !== undefined)
        throw invalid('input.rate', 'is for base rules only; a bonus has multiplier or extraPoints');
    });
    check(() => checkBonus(multiplier, extraPoints));
    return {
      rate: null,
      multiplier,
      extraPoints,
      categoryIds: check(() => targets('input.categoryIds', input.categoryIds)),
      productIds: check(() => targets('input.productIds', input.productIds)),
    };
  });
}

function checkBonus(multiplier: number | null, extraPoints: number | null): void {
  if ((multiplier === null) === (extraPoints === null))
    throw invalid('input.multiplier', 'or extraPoints is required of a bonus rule, one of them');
  if (multiplier !== null && (multiplier <= 1 || !isBetween(multiplier, 1, MULTIPLIER_MAX, 1_000)))
    throw invalid(
      'input.multiplier',
      inputRule(
        'DECIMALS',
        `must be more than 1 and at most ${MULTIPLIER_MAX}, with at most three decimals`,
        { min: 1, max: MULTIPLIER_MAX, decimals: 3 },
      ),
    );
  if (extraPoints !== null && !isBetween(extraPoints, 1, EXTRA_POINTS_MAX, 1))
    throw invalid('input.extraPoints', between(1, EXTRA_POINTS_MAX));
}

/** @param steps - steps per 1: 100 allows two decimals; more decimals are refused */
const isBetween = (value: number, least: number, most: number, steps: number): boolean =>
  value >= least && value <= most && Math.round(value * steps) / steps === value;

function targets(field: string, ids: readonly string[] | null | undefined): readonly string[] {
  const wanted = [...new Set(ids ?? [])];
  if (wanted.length > TARGETS_MAX) throw invalid(field, listAtMost(TARGETS_MAX, 'ids'));
  if (!wanted.every(isUuid)) throw invalid(field, 'must be UUIDs', 'INVALID_ID');
  return wanted.map((id) => id.toLowerCase());
}
