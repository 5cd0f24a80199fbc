import type { Context } from '@loyalty/platform/context';
import { type History, readHistories } from '../facts/fact-history.service.ts';
import { foldEvents, foldOrders } from './fold.ts';
import { type FoldedRow, replaceRows, type Statistics, type StatisticsRow } from './statistics.store.ts';
import { type DayOf, dayIn } from './workspace-day.ts';

/** Facts that are read at once, about. */
const FACTS_AT_ONCE = 100_000;
/** What a member counts for beside the events that its row knows of. */
const ORDERS_ASSUMED = 50;

/**
 * Statistics of members folded anew from their facts up to a moment, by member; null where a member has too
 * many to be read. A row whose facts all lie before that moment is replaced, unless it has changed meanwhile.
 */
export async function refold(
  ctx: Context,
  rows: readonly StatisticsRow[],
  untilMs: number,
  timeZone: string,
): Promise<ReadonlyMap<string, Statistics | null>> {
  const dayOf = dayIn(timeZone);
  const found = new Map<string, Statistics | null>();
  for (const portion of portions(rows)) {
    const ids = portion.map(({ memberId }) => memberId);
    const histories = await readHistories(ctx, ids, new Date(untilMs));
    const folded = portion.map((row, place) => foldHistory(row, histories[place]!, dayOf));
    for (const [place, id] of ids.entries()) found.set(id, folded[place]!);
    const whole = folded.filter((row, place) => row && (portion[place]!.maxOccurredMs ?? 0) <= untilMs);
    if (whole.length > 0) await replaceRows(ctx, timeZone, whole as FoldedRow[]);
  }
  return found;
}

function foldHistory({ memberId, mark }: StatisticsRow, history: History, dayOf: DayOf): FoldedRow | null {
  if (!history) return null;
  const { orders, events } = history;
  const times = [...orders.map(({ ms }) => ms), ...events.slice(-1).map(({ ms }) => ms)];
  const maxOccurredMs = times.reduce<number | null>((latest, ms) => Math.max(latest ?? ms, ms), null);
  return { memberId, mark, maxOccurredMs, ...foldOrders(orders, dayOf), ...foldEvents(events) };
}

/** Sorted, so that two readers take rows in one order; at least one member each. */
function* portions(rows: readonly StatisticsRow[]): Generator<StatisticsRow[]> {
  let portion: StatisticsRow[] = [];
  let facts = 0;
  for (const row of rows.toSorted((a, b) => (a.memberId < b.memberId ? -1 : 1))) {
    portion.push(row);
    facts += row.events + ORDERS_ASSUMED;
    if (facts < FACTS_AT_ONCE) continue;
    yield portion;
    portion = [];
    facts = 0;
  }
  if (portion.length > 0) yield portion;
}
