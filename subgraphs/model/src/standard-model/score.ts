import { expectedWhileAlive } from '../numerics/hypergeometric.ts';
import { scoreBrowsers } from './browser-signals.ts';
import { horizonsOf } from './horizons.ts';
import { markLowSkill, markSeasons } from './pattern-reasons.ts';
import { scoreRhythms } from './rhythm-signals.ts';
import { emptyScores, type ScoreBlock, type ScoreOptions } from './score-block.ts';
import { scoreBrowsing, scoreCarts, scorePurchases } from './standard-signals.ts';
import { type StandardVersion, standardModels } from './standard-versions.ts';
import type { Cutoff, StatisticsBlock } from './statistics-block.ts';

/**
 * Scores members at a cutoff by a version of the standard model, from their statistics alone and, since
 * std-2, from figures that their workspace counts every night. Equal input gives equal scores on every
 * machine and at every time; no data of another workspace is used.
 *
 * @param members - folded up to the cutoff; anything later counts as if it happened at the cutoff
 * @returns chances from 0 to 1, not rounded; NaN if there is no score
 * @remarks Source: model API, section 2 "Member state"; MBG/NBD of Batislam, Denizel and Filiztekin 2007
 */
export function score(members: StatisticsBlock, cutoff: Cutoff, options: ScoreOptions): ScoreBlock {
  const scores = emptyScores(members.size);
  const horizons = horizonsOf(options);
  const { figures, pool } = options;
  const { parameters } = standardModels[options.version];
  scorePurchases(members, cutoff, horizons, { parameters, scores });
  if (parameters.version === 'std-1') {
    scoreBrowsing(members, cutoff, horizons, { parameters, scores });
  } else {
    scoreRhythms(members, cutoff, horizons, { parameters, figures, scores });
    scoreBrowsers(members, cutoff, horizons, { parameters, figures, scores });
    markSeasons(members, parameters, scores);
    if (figures.hasLowSkill) markLowSkill(scores);
  }
  scoreCarts(members, cutoff, pool, { parameters, scores });
  return scores;
}

/**
 * Returns the expected purchase days of members within `days` after the cutoff: the expectation for members
 * who buy at random, and at least the chance of one purchase.
 *
 * @param scores - of the same members, cutoff and version, with a horizon of at most `days`
 * @returns a number per row; NaN for members without a purchase
 * @remarks Source: MBG/NBD, Batislam, Denizel and Filiztekin 2007
 */
export function expectedPurchases(
  members: StatisticsBlock,
  scores: ScoreBlock,
  cutoff: Cutoff,
  { version, days }: { readonly version: StandardVersion; readonly days: number },
): Float64Array {
  const { size, purchaseDays, firstDay } = members;
  const { r, alpha, a, b } = standardModels[version].parameters;
  const expected = new Float64Array(size).fill(Number.NaN);
  for (let row = 0; row < size; row += 1) {
    if (purchaseDays[row] === 0) continue;
    const x = purchaseDays[row]! - 1;
    const observed = Math.max(cutoff.day - firstDay[row]!, 0);
    const whileAlive = expectedWhileAlive(r + x, a + b + x, a, days / (alpha + observed));
    expected[row] = Math.max(whileAlive * scores.aliveChance[row]!, scores.purchase[row]!);
  }
  return expected;
}
