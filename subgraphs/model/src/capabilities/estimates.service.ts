import { invalid } from '@loyalty/platform/base/errors';
import { itemRule } from '@loyalty/platform/base/input';
import type { Context } from '@loyalty/platform/context';
import { type MaximumUsage, maximumOf, rates } from '../credits/charges.ts';
import { getWallet, refusalOf, spendable } from '../credits/wallet.service.ts';
import { type CapabilityName, capabilityPrices } from './capability.ts';

/** The size of the largest batch. */
const CAPABILITIES_MAX = 20;

/** Scores that a refresh computes for each member. */
const SCORES_PER_MEMBER = 3;

interface EstimateInput {
  readonly capabilities?: readonly string[] | null | undefined;
  readonly events?: number | null | undefined;
  readonly members?: number | null | undefined;
}

/** Amounts in credits. */
interface CreditEstimate {
  readonly maximum: bigint;
  readonly available: bigint;
  readonly isCovered: boolean;
  readonly refusal: string | null;
}

/**
 * Returns the maximum cost of paid work, in credits, and the code with which a reservation would be refused
 * now. Nothing is reserved, so the answer may be outdated when the work begins. Test mode is free.
 *
 * @throws AppError VALIDATION_FAILED (400) for an unknown capability, more than 20, or an empty request
 * @remarks Source: model API, section 2 "Credits", rule 6; requirements M-CRD-05 to -11, M-CRD-18
 */
export async function estimateCredits(ctx: Context, input: EstimateInput): Promise<CreditEstimate> {
  const calls = pricesOf(input.capabilities ?? []);
  if (!input.capabilities && !isNumber(input.events) && !isNumber(input.members)) {
    throw invalid('input', 'must name capabilities, events or members');
  }
  const wallet = await getWallet(ctx);
  const available = spendable(wallet);
  const asked =
    BigInt(maximumOf(calls, wallet.decisionScores)) +
    BigInt(input.events ?? 0) * BigInt(rates.event) +
    BigInt(input.members ?? 0) * BigInt(SCORES_PER_MEMBER * rates.score);
  const maximum = ctx.scope.mode === 'TEST' ? 0n : asked;
  // Free work needs no reservation, so it is never refused.
  const isCovered = maximum === 0n || maximum <= available;
  return { maximum, available, isCovered, refusal: isCovered ? null : refusalOf(wallet.plan).code };
}

const isNumber = (given: number | null | undefined): given is number => typeof given === 'number';

function pricesOf(names: readonly string[]): MaximumUsage[] {
  if (names.length > CAPABILITIES_MAX) {
    throw invalid('input.capabilities', `must be at most ${CAPABILITIES_MAX} names`);
  }
  return names.map((name, index) => {
    if (!Object.hasOwn(capabilityPrices, name)) {
      throw invalid(`input.capabilities[${index}]`, itemRule(name, 'must be the name of a capability'));
    }
    return capabilityPrices[name as CapabilityName];
  });
}
