import { logGamma } from '../numerics/log-gamma.ts';
import { type IntervalPool, longerThan, rhythmLikelihood, rhythmOf } from '../numerics/member-rhythm.ts';
import type { Horizons } from './horizons.ts';
import { reasonBits } from './reasons.ts';
import type { ScoreBlock } from './score-block.ts';
import type { Cutoff, StatisticsBlock, WorkspaceFigures } from './statistics-block.ts';
import type { std2 } from './std-2.ts';

/** The continuity correction: intervals are whole days. */
const HALF_DAY = 0.5;

/**
 * Scores members with three intervals or more by a mixture: such a member buys at random, like all members,
 * or at intervals of its own rhythm. Each component is weighted by the likelihood of the member's intervals
 * and of the current gap. After any purchase a member may have left for good, with the same chance in both.
 * Replaces the scores that `scorePurchases` gave these members.
 */
export function scoreRhythms(
  members: StatisticsBlock,
  { day }: Cutoff,
  { purchaseDays: horizon, gapDays }: Horizons,
  {
    parameters,
    figures,
    scores,
  }: { readonly parameters: typeof std2; readonly figures: WorkspaceFigures; readonly scores: ScoreBlock },
): void {
  const { rhythm: settings } = parameters;
  const pool = figures.intervals ?? settings.pool;
  for (let row = 0; row < members.size; row += 1) {
    if (members.purchaseDays[row]! <= settings.intervalsMin) continue;
    const { random, regular, silence, gap, leaving, rhythm } = componentsOf(
      members,
      row,
      day,
      parameters,
      pool,
    );
    const all = random.weight * random.survival + regular.weight * regular.survival + leaving;
    const alive = {
      random: (random.weight * random.survival) / all,
      regular: (regular.weight * regular.survival) / all,
    };
    const within = (days: number) =>
      alive.random * random.within(days) + alive.regular * regular.within(days);
    scores.purchase[row] = within(horizon);
    scores.longGap[row] = 1 - within(gapDays);
    scores.aliveChance[row] = alive.random + alive.regular;
    scores.gapSurvival[row] = all - leaving;
    scores.overdueCycles[row] = Math.max(gap / Math.exp(rhythm.logMedian) - 1, 0);
    if (regular.weight < 0.5 || silence >= settings.overdueTail) continue;
    scores.purchaseReasons[row]! |= reasonBits.OVERDUE;
    scores.longGapReasons[row]! |= reasonBits.OVERDUE;
  }
}

function componentsOf(
  members: StatisticsBlock,
  row: number,
  day: number,
  { r, alpha, a, b, rhythm: settings }: typeof std2,
  pool: IntervalPool,
) {
  const count = members.purchaseDays[row]! - 1;
  const first = members.firstDay[row]!;
  const observed = Math.max(day - first, 0);
  const active = Math.min(Math.max(members.lastDay[row]! - first, 0), observed);
  const gap = observed - active;
  const k = r + count;
  const own = { count, logSum: members.logSum[row]!, logSquares: members.logSquares[row]! };
  const rhythm = rhythmOf(own, pool, settings.freedom);
  const asRandom =
    logGamma(k) -
    logGamma(r) +
    r * Math.log(alpha) -
    k * Math.log(alpha + active) +
    Math.log(1 - settings.share);
  const asRhythm = rhythmLikelihood(own, rhythm, pool, settings.freedom) + Math.log(settings.share);
  const weight = 1 / (1 + Math.exp(asRandom - asRhythm));
  const silence = longerThan(rhythm, gap + HALF_DAY);
  return {
    random: {
      weight: 1 - weight,
      survival: Math.exp(-k * Math.log1p(gap / (alpha + active))),
      within: (days: number) => -Math.expm1(-k * Math.log1p(days / (alpha + observed))),
    },
    regular: {
      weight,
      survival: silence,
      // The gap exceeds every interval: the next purchase, if any, is due.
      within: (days: number) => (silence > 0 ? 1 - longerThan(rhythm, gap + days + HALF_DAY) / silence : 1),
    },
    leaving: a / (b + count),
    silence,
    gap,
    rhythm,
  };
}
