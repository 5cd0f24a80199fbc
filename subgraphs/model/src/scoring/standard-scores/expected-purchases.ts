import { expectedWhileAlive } from '../numerics/hypergeometric.ts';
import type { ScoreBlock } from '../standard-model/score-block.ts';
import type { Cutoff, StatisticsBlock } from '../standard-model/statistics-block.ts';
import { type StandardVersion, standardModels } from '../standard-versions/standard-versions.ts';

/**
 * Purchase days that members are expected to have within `days` behind the cutoff: as many as of members who
 * buy at random, and no fewer than the chance of one purchase.
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
