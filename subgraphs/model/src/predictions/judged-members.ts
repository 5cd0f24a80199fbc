import { historyBlock, type MemberHistory } from '../alignment/member-history.ts';
import { browsingWeight } from '../standard-model/browser-signals.ts';
import { daysSince } from '../standard-model/horizons.ts';
import { score } from '../standard-model/score.ts';
import { CURRENT_VERSION } from '../standard-model/standard-versions.ts';
import type { Cutoff, WorkspaceFigures } from '../standard-model/statistics-block.ts';
import { std2 } from '../standard-model/std-2.ts';
import type { JudgedBrowser, JudgedBuyer } from './backtest.ts';

/** Members by whether they had a purchase at the cutoff. */
export interface JudgedMembers {
  readonly browsers: readonly JudgedBrowser[];
  readonly buyers: readonly JudgedBuyer[];
}

interface Judgement {
  readonly cutoff: Cutoff;
  /** Days after the cutoff whose purchases count. */
  readonly horizonDays: number;
  readonly figures: WorkspaceFigures;
}

/** Scores members by their history up to the cutoff, and reads their purchases after it. */
export function judgedMembers(
  ids: readonly string[],
  histories: readonly MemberHistory[],
  { cutoff, horizonDays, figures }: Judgement,
): JudgedMembers {
  const { block } = historyBlock(histories, cutoff);
  const pool = { adds: 0, removes: 0 };
  const options = { version: CURRENT_VERSION, purchaseDays: horizonDays, pool, figures };
  const { purchase } = score(block, cutoff, options);
  const [browsers, buyers]: [JudgedBrowser[], JudgedBuyer[]] = [[], []];
  ids.forEach((memberId, row) => {
    const hasBought = histories[row]!.purchaseDays.some(
      (day) => day > cutoff.day && day <= cutoff.day + horizonDays,
    );
    if (block.purchaseDays[row]! > 0) buyers.push({ memberId, score: purchase[row]!, hasBought });
    else if (block.events[row]! >= std2.browsing.eventsMin) {
      const idleDays = daysSince(block.lastEventMs[row]!, cutoff.ms);
      const weight = browsingWeight(block.sessions[row]!, block.buySessions[row]!, idleDays);
      browsers.push({ weight, hasBought });
    }
  });
  return { browsers, buyers };
}
