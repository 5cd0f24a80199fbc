import { observedOf } from './evidence.ts';
import { fingerprint, parameters } from './parameters.ts';
import { reasonsOf } from './reasons.ts';
import { roundedScore } from './rounding.ts';
import { emptyScores, type ScoreBlock, type ScoreOptions } from './score-block.ts';
import { scoreBrowsing, scoreCarts, scorePurchases } from './signals.ts';
import type { Signal, SignalStatus, StandardState } from './standard-state.ts';
import type { Cutoff, StatisticsBlock } from './statistics-block.ts';

const PURCHASE_DAYS = 30;
const GAP_DAYS = 90;

/** Name, version and the fingerprint of the parameters. */
export const standardModel = {
  name: 'standard',
  version: parameters.version,
  parametersSha256: fingerprint(parameters),
} as const;

/**
 * The standard model: scores of members at a cutoff, from their statistics alone. Equal statistics give equal
 * scores on every machine and at every time; no data of another workspace is used.
 *
 * @param members - folded up to the cutoff; what happened later counts as if it happened at the cutoff
 * @returns chances from 0 to 1, not rounded; NaN where there is no score
 * @remarks Source: model API, section 2 "Member state"; MBG/NBD of Batislam, Denizel and Filiztekin 2007
 */
export function score(members: StatisticsBlock, cutoff: Cutoff, options: ScoreOptions): ScoreBlock {
  const scores = emptyScores(members.size);
  const horizons = horizonsOf(options);
  scorePurchases(members, cutoff, horizons, scores);
  scoreBrowsing(members, cutoff, horizons, scores);
  scoreCarts(members, cutoff, options.pool, scores);
  return scores;
}

/**
 * The state of one row: its scores as signals, with evidence and limitations. A state is OK where purchase
 * and long gap are OK, and UNAVAILABLE only where all three signals are.
 *
 * @param row - of `members` and of the `scores` that were made from them with the same cutoff and options
 * @returns scores rounded to 6 decimals, null where there is none: never to be read as zero
 * @remarks Source: model API, section 2 "Member state" and "Capability", rules 1 and 2
 */
export function stateOf(
  members: StatisticsBlock,
  scores: ScoreBlock,
  row: number,
  cutoff: Cutoff,
  options: ScoreOptions,
): StandardState {
  const { purchaseDays, gapDays } = horizonsOf(options);
  const purchase = signal(scores.purchase[row]!, scores.purchaseReasons[row]!, purchaseDays);
  const longGap = signal(scores.longGap[row]!, scores.longGapReasons[row]!, gapDays);
  const cartRemoval = signal(scores.cartRemoval[row]!, scores.cartRemovalReasons[row]!, null);
  return {
    status: statusOfAll(purchase, longGap, cartRemoval),
    purchase,
    longGap,
    cartRemoval,
    evidence: observedOf(members, scores, row, cutoff),
    limitations: limitationsOf(purchase, longGap, cartRemoval),
  };
}

const horizonsOf = ({ purchaseDays = PURCHASE_DAYS, gapDays = GAP_DAYS }: ScoreOptions) => ({
  purchaseDays,
  gapDays,
});

function signal(raw: number, bits: number, horizonDays: number | null): Signal {
  const reasons = reasonsOf(bits);
  if (Number.isNaN(raw)) return { score: null, status: 'UNAVAILABLE', horizonDays, reasons };
  return { score: roundedScore(raw), status: bits === 0 ? 'OK' : 'DEGRADED', horizonDays, reasons };
}

function statusOfAll(purchase: Signal, longGap: Signal, cartRemoval: Signal): SignalStatus {
  if (purchase.status === 'OK' && longGap.status === 'OK') return 'OK';
  const hasNone = [purchase, longGap, cartRemoval].every(({ status }) => status === 'UNAVAILABLE');
  return hasNone ? 'UNAVAILABLE' : 'DEGRADED';
}

function limitationsOf(...[purchase, longGap, cartRemoval]: readonly [Signal, Signal, Signal]): string[] {
  const codes = [purchase, longGap, cartRemoval].flatMap(({ reasons }) => reasons);
  const cartCodes = cartRemoval.score === null ? [] : ['CART_SIGNAL_NOT_VALIDATED'];
  return [...new Set(['NOT_CALIBRATED', 'NOT_A_CHURN_LABEL', ...codes, ...cartCodes])];
}
