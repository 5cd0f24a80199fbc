import { expectedPurchases, score } from '@loyalty/model-subgraph/standard-model/score';
import { STANDARD_VERSIONS } from '@loyalty/model-subgraph/standard-model/standard-versions';
import {
  emptyBlock,
  NO_FIGURES,
  type StatisticsBlock,
} from '@loyalty/model-subgraph/standard-model/statistics-block';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { median } from '../measure.ts';

const MEMBERS = 1_000_000;
const RUNS = 5;
const BAR_PER_SECOND = 2_000_000;
const CUTOFF = { day: 20_000, ms: 20_000 * DAY_MS };
const POOL = { adds: 4_000_000, removes: 900_000 };

/**
 * Measures the standard model alone on one core: it computes the three scores of 1,000,000 members of mixed
 * habits from statistics in memory, then the same with expected purchases. Prints the medians of five runs
 * after one warm-up run. The time is processor time of the thread, so other work of the machine does not
 * count.
 */
export async function scoresPerSecond(): Promise<void> {
  const members = mixedMembers(MEMBERS);
  for (const version of STANDARD_VERSIONS) {
    const options = { version, pool: POOL, figures: NO_FIGURES };
    const scores = score(members, CUTOFF, options);
    const alone = medianSeconds(() => score(members, CUTOFF, options));
    const expected = medianSeconds(() => expectedPurchases(members, scores, CUTOFF, { version, days: 30 }));
    const rate = (seconds: number) => Math.round(MEMBERS / seconds).toLocaleString('en');
    console.log(
      `${version}: ${rate(alone)} members/s a core, with expected purchases ${rate(alone + expected)}`,
    );
    if (MEMBERS / alone < BAR_PER_SECOND)
      throw new Error(`There must be at least ${BAR_PER_SECOND.toLocaleString('en')} members/s.`);
  }
}

function medianSeconds(work: () => unknown): number {
  work();
  const seconds = Array.from({ length: RUNS }, () => {
    const start = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(start);
    return (user + system) / 1_000_000;
  });
  return median(seconds);
}

/** Members of mixed habits: one in five never bought, one in five bought once, and half of them use carts. */
function mixedMembers(size: number): StatisticsBlock {
  const block = emptyBlock(size);
  for (let row = 0; row < size; row += 1) {
    const purchaseDays = [0, 1, 2, 4, 5 + ((row * 7_919) % 40)][row % 5]!;
    const observed = 1 + ((row * 31) % 900);
    if (purchaseDays > 0) {
      block.purchaseDays[row] = purchaseDays;
      block.firstDay[row] = CUTOFF.day - observed;
      block.lastDay[row] = block.firstDay[row]! + (purchaseDays > 1 ? (row * 17) % observed : 0);
      fillIntervals(block, row);
    }
    block.events[row] = row % 40;
    block.sessions[row] = row % 9;
    block.buySessions[row] = row % 3;
    block.firstEventMs[row] = CUTOFF.ms - observed * DAY_MS;
    block.lastEventMs[row] = CUTOFF.ms - (row % observed) * DAY_MS;
    if (row % 2 === 0) continue;
    block.decayedAdds[row] = row % 8;
    block.decayedRemoves[row] = row % 3;
    block.lastCartMs[row] = block.lastEventMs[row]!;
  }
  return block;
}

/** Intervals between purchases. The variance of their logarithms is from 0 to 1. */
function fillIntervals(block: StatisticsBlock, row: number): void {
  const count = block.purchaseDays[row]! - 1;
  if (count < 1) return;
  const logMean = Math.log(Math.max((block.lastDay[row]! - block.firstDay[row]!) / count, 1));
  block.logSum[row] = count * logMean;
  block.logSquares[row] = count * (logMean * logMean + (row % 11) / 10);
}
