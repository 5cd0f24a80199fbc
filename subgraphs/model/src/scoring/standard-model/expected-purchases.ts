import { expectedWhileAlive } from './hypergeometric.ts';
import { parameters } from './parameters.ts';
import type { ScoreBlock } from './score-block.ts';
import type { Cutoff, StatisticsBlock } from './statistics-block.ts';

/**
 * Purchase days that members are expected to have within `days` behind the cutoff.
 *
 * @param scores - of the same members at the same cutoff
 * @returns a number per row; NaN for members without a purchase
 * @remarks Source: MBG/NBD, Batislam, Denizel and Filiztekin 2007
 */
export function expectedPurchases(
  members: StatisticsBlock,
  scores: ScoreBlock,
  cutoff: Cutoff,
  days: number,
): Float64Array {
  const { size, purchaseDays, firstDay } = members;
  const { r, alpha, a, b } = parameters;
  const expected = new Float64Array(size).fill(Number.NaN);
  for (let row = 0; row < size; row += 1) {
    if (purchaseDays[row] === 0) continue;
    const x = purchaseDays[row]! - 1;
    const observed = Math.max(cutoff.day - firstDay[row]!, 0);
    const whileAlive = expectedWhileAlive(r + x, a + b + x, a, days / (alpha + observed));
    expected[row] = whileAlive * scores.aliveChance[row]!;
  }
  return expected;
}
