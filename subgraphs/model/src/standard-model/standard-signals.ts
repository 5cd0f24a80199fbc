import { DAY_MS } from '@loyalty/platform/base/clock';
import { cartDecay, daysSince, type Horizons } from './horizons.ts';
import { reasonBits } from './reasons.ts';
import type { ScoreBlock } from './score-block.ts';
import type { CartPool, Cutoff, StatisticsBlock } from './statistics-block.ts';
import type { std1 } from './std-1.ts';
import type { std2 } from './std-2.ts';

const { PRIOR_DRIVEN, SHORT_HISTORY, STALE, NO_PURCHASE_HISTORY, LATE_DATA } = reasonBits;
const { INSUFFICIENT_HISTORY, NO_CART_EVENTS, FEW_CART_EVENTS, NO_REMOVALS_SEEN } = reasonBits;

type StandardParameters = typeof std1 | typeof std2;

/** The block that receives the scores, and the parameters. */
interface Scoring<Parameters = StandardParameters> {
  readonly parameters: Parameters;
  readonly scores: ScoreBlock;
}

/**
 * Scores members with purchases, in closed form. With k = r + x, a member is still a customer with the chance
 * S / (S + a / (b + x)), where S is the chance that a customer does not buy for that long; it buys within H
 * days with that chance times 1 - ((alpha + T) / (alpha + T + H))^k. Logarithms of ratios are computed as
 * log1p of differences, which is as exact for a hundred thousand purchases as for one.
 */
export function scorePurchases(
  members: StatisticsBlock,
  { day }: Cutoff,
  { purchaseDays: horizon, gapDays }: Horizons,
  { parameters, scores }: Scoring,
): void {
  const { r, alpha, a, b, repeatsMin, observedDaysMin, gapDaysMax } = parameters;
  const { size, purchaseDays, firstDay, lastDay, isLate } = members;
  const { purchase, longGap, aliveChance, gapSurvival, purchaseReasons, longGapReasons } = scores;
  for (let row = 0; row < size; row += 1) {
    const days = purchaseDays[row]!;
    if (days === 0) continue;
    const x = days - 1;
    const first = firstDay[row]!;
    const observed = Math.max(day - first, 0);
    const active = Math.min(Math.max(lastDay[row]! - first, 0), observed);
    const gap = observed - active;
    const k = r + x;
    const survival = Math.exp(-k * Math.log1p(gap / (alpha + active)));
    const alive = survival / (survival + a / (b + x));
    const reasons =
      (x < repeatsMin ? PRIOR_DRIVEN : 0) |
      (observed < observedDaysMin ? SHORT_HISTORY : 0) |
      (gap > gapDaysMax ? STALE : 0) |
      (isLate[row]! * LATE_DATA);
    purchase[row] = -alive * Math.expm1(-k * Math.log1p(horizon / (alpha + observed)));
    longGap[row] = 1 + alive * Math.expm1(-k * Math.log1p(gapDays / (alpha + observed)));
    aliveChance[row] = alive;
    gapSurvival[row] = survival;
    purchaseReasons[row] = reasons;
    longGapReasons[row] = reasons;
  }
}

/**
 * Scores members without a purchase, for std-1: their rate of sessions times the share of sessions that end
 * in a purchase.
 */
export function scoreBrowsing(
  members: StatisticsBlock,
  { ms }: Cutoff,
  { purchaseDays: horizon }: Horizons,
  { parameters: { browsing }, scores }: Scoring<typeof std1>,
): void {
  const { size, purchaseDays, events, sessions, buySessions, firstEventMs, isLate } = members;
  const { purchase, purchaseReasons, longGapReasons } = scores;
  for (let row = 0; row < size; row += 1) {
    if (purchaseDays[row] !== 0) continue;
    const late = isLate[row]! * LATE_DATA;
    longGapReasons[row] = NO_PURCHASE_HISTORY | late;
    if (events[row]! < browsing.eventsMin) {
      purchaseReasons[row] = INSUFFICIENT_HISTORY | late;
      continue;
    }
    const age = daysSince(firstEventMs[row]!, ms);
    const visits = ((sessions[row]! + 1) / (age + 1)) * horizon;
    const conversion = (buySessions[row]! + 1) / (sessions[row]! + browsing.sessionsPrior);
    purchase[row] = Math.min(-Math.expm1(-visits * conversion), browsing.scoreMax);
    purchaseReasons[row] = NO_PURCHASE_HISTORY | late;
  }
}

/**
 * Scores carts: the share of cart additions that a member removes again, shrunk towards the rate of all
 * members.
 */
export function scoreCarts(
  members: StatisticsBlock,
  { ms }: Cutoff,
  pool: CartPool,
  { parameters: { cart }, scores }: Scoring,
): void {
  const { size, decayedAdds, decayedRemoves, lastCartMs, lastEventMs, isLate } = members;
  const { cartRemoval, cartRemovalReasons } = scores;
  const hasPool = pool.adds + pool.removes > 0;
  // Without any removal in the workspace, it probably does not report removals.
  const isUnreported = 'needsRemovals' in cart && pool.removes === 0;
  const expected = cart.prior * pooledRate(pool, cart);
  for (let row = 0; row < size; row += 1) {
    const at = lastCartMs[row]!;
    const late = isLate[row]! * LATE_DATA;
    if (!hasPool || Number.isNaN(at)) {
      cartRemovalReasons[row] = NO_CART_EVENTS | late;
      continue;
    }
    if (isUnreported) {
      cartRemovalReasons[row] = NO_REMOVALS_SEEN | late;
      continue;
    }
    const left = cartDecay(at, ms);
    const adds = decayedAdds[row]! * left;
    const rate = (expected + decayedRemoves[row]! * left) / (cart.prior + adds);
    const isStale = !(ms - lastEventMs[row]! <= cart.quietDaysMax * DAY_MS);
    cartRemoval[row] = Math.min(rate, 1);
    cartRemovalReasons[row] = (adds < cart.addsMin ? FEW_CART_EVENTS : 0) | (isStale ? STALE : 0) | late;
  }
}

/**
 * The pooled rate, as if the workspace had 20 more additions, half of them removed; removals may outnumber
 * additions.
 */
const pooledRate = ({ adds, removes }: CartPool, cart: StandardParameters['cart']): number =>
  Math.min((removes + cart.pooledRate * cart.pooledPrior) / (adds + cart.pooledPrior), 1);
