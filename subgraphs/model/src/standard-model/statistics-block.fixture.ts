import { DAY_MS } from '@loyalty/platform/base/clock';
import { type Cutoff, emptyBlock, type StatisticsBlock } from './statistics-block.ts';

/** Midnight of 2026-01-01, UTC. */
export const CUTOFF: Cutoff = { day: 20_454, ms: 20_454 * DAY_MS };

/** Statistics of one member, given in days before the cutoff. */
export interface MemberStatistics {
  readonly purchaseDays?: number;
  /** Days from the first and from the last purchase to the cutoff. */
  readonly firstAgo?: number;
  readonly lastAgo?: number;
  readonly daySquares?: number;
  readonly months?: number;
  readonly events?: number;
  readonly sessions?: number;
  readonly buySessions?: number;
  readonly firstEventAgo?: number;
  readonly lastEventAgo?: number;
  readonly adds?: number;
  readonly removes?: number;
  readonly lastCartAgo?: number;
  readonly maxOccurredAgo?: number;
  readonly isLate?: boolean;
}

/** Returns a block of these members at CUTOFF. */
export function blockOf(members: readonly MemberStatistics[]): StatisticsBlock {
  const block = emptyBlock(members.length);
  const msAgo = (days: number | undefined) => (days === undefined ? Number.NaN : CUTOFF.ms - days * DAY_MS);
  for (const [row, member] of members.entries()) {
    const { purchaseDays = 0, firstAgo = 0, lastAgo = firstAgo } = member;
    if (purchaseDays > 0) {
      block.purchaseDays[row] = purchaseDays;
      block.firstDay[row] = CUTOFF.day - firstAgo;
      block.lastDay[row] = CUTOFF.day - lastAgo;
    }
    block.daySquares[row] = member.daySquares ?? 0;
    block.purchaseMonths[row] = member.months ?? 0;
    block.events[row] = member.events ?? 0;
    block.sessions[row] = member.sessions ?? 0;
    block.buySessions[row] = member.buySessions ?? 0;
    block.firstEventMs[row] = msAgo(member.firstEventAgo);
    block.lastEventMs[row] = msAgo(member.lastEventAgo);
    block.decayedAdds[row] = member.adds ?? 0;
    block.decayedRemoves[row] = member.removes ?? 0;
    block.lastCartMs[row] = msAgo(member.lastCartAgo);
    block.maxOccurredMs[row] = msAgo(member.maxOccurredAgo);
    block.isLate[row] = Number(member.isLate ?? false);
  }
  return block;
}
