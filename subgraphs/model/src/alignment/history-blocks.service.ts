import { NO_ID } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import type { DayOf } from '../facts/workspace-day.ts';
import { refusedConsumers } from '../members/members.service.ts';
import type { MemberHistory } from './member-history.ts';
import {
  countMembersWithFacts,
  eventTimes,
  firstPurchaseDay,
  type MemberWithFacts,
  membersWithFacts,
  purchaseTimes,
} from './own-history.store.ts';

/** Members per read. */
const BLOCK = 1_000;
/** The most orders or events of a member; members with more are left out. */
const FACTS_MAX = 20_000;

interface HistoryBlock {
  readonly ids: readonly string[];
  readonly histories: readonly MemberHistory[];
}

/** The workspace's range of data, known before its histories are read. */
interface HistoryExtent {
  readonly members: number;
  /** The first day with a purchase, in days since 1970-01-01; null without one. */
  readonly firstDay: number | null;
}

export const historyExtent = async (ctx: Context): Promise<HistoryExtent> => ({
  members: await countMembersWithFacts(ctx),
  firstDay: await firstPurchaseDay(ctx),
});

/**
 * Yields members with facts that may be processed, in blocks, sorted by id.
 *
 * @param until - later facts are left out
 * @param oneIn - takes about one of this many members, always the same ones; 1 takes all
 */
export async function* historyBlocks(
  ctx: Context,
  until: Date,
  dayOf: DayOf,
  oneIn = 1,
): AsyncGenerator<HistoryBlock> {
  for (let after = NO_ID; ; ) {
    const found = await membersWithFacts(ctx, { afterMemberId: after, limit: BLOCK, oneIn });
    if (found.length === 0) return;
    after = found.at(-1)!.memberId;
    const refused = await refusedConsumers(
      ctx,
      found.map(({ memberId }) => memberId),
    );
    yield readBlock(
      ctx,
      found.filter(({ memberId }) => !refused.has(memberId)),
      until,
      dayOf,
    );
  }
}

async function readBlock(
  ctx: Context,
  members: readonly MemberWithFacts[],
  until: Date,
  dayOf: DayOf,
): Promise<HistoryBlock> {
  const ids = members.map(({ memberId }) => memberId);
  const withEvents = members.filter(({ hasEvents }) => hasEvents).map(({ memberId }) => memberId);
  const purchases = await purchaseTimes(ctx, ids, until, FACTS_MAX + 1);
  const events = withEvents.length > 0 ? await eventTimes(ctx, withEvents, until, FACTS_MAX + 1) : [];
  const eventsOf = new Map(events.map((row) => [withEvents[row.place]!, row]));
  const known = purchases.filter(
    ({ place, count }) => Math.max(count, eventsOf.get(ids[place]!)?.count ?? 0) <= FACTS_MAX,
  );
  return {
    ids: known.map(({ place }) => ids[place]!),
    histories: known.map(({ place, times }) => {
      const own = eventsOf.get(ids[place]!);
      const types = own?.types?.split(' ') ?? [];
      return {
        purchaseDays: [...new Set(numbersOf(times).map(dayOf))],
        events: numbersOf(own?.times ?? null).map((ms, index) => ({ ms, type: types[index]! })),
      };
    }),
  };
}

const numbersOf = (text: string | null): number[] => (text === null ? [] : text.split(' ').map(Number));
