import type { Context } from '@loyalty/platform/context';
import { type History, readHistories } from '../facts/fact-history.service.ts';
import { foldEvents, foldOrders } from './fold.ts';
import { type FoldedRow, replaceRows, type Statistics, type StatisticsRow } from './statistics.store.ts';
import { type DayOf, dayIn } from './workspace-day.ts';

/** Facts that are read at once, about. */
const FACTS_AT_ONCE = 100_000;
/** Orders of a member, about; its row has the number of events only. */
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
  for (const batch of batches(rows)) {
    const ids = batch.map(({ memberId }) => memberId);
    const histories = await readHistories(ctx, ids, new Date(untilMs));
    const folded = batch.map((row, place) => foldHistory(row, histories[place]!, dayOf));
    for (const [place, id] of ids.entries()) found.set(id, folded[place]!);
    const whole = folded.filter((row, place) => row && (batch[place]!.maxOccurredMs ?? 0) <= untilMs);
    if (whole.length > 0) await replaceRows(ctx, timeZone, whole as FoldedRow[]);
  }
  return found;
}

function foldHistory(
  { memberId, rowVersion }: StatisticsRow,
  history: History,
  dayOf: DayOf,
): FoldedRow | null {
  if (!history) return null;
  const { orders, events } = history;
  const times = [...orders.map(({ ms }) => ms), ...events.slice(-1).map(({ ms }) => ms)];
  const maxOccurredMs = times.reduce<number | null>((latest, ms) => Math.max(latest ?? ms, ms), null);
  return { memberId, rowVersion, maxOccurredMs, ...foldOrders(orders, dayOf), ...foldEvents(events) };
}

/** Sorted, so that all readers lock rows in one order; at least one member each. */
function* batches(rows: readonly StatisticsRow[]): Generator<StatisticsRow[]> {
  let batch: StatisticsRow[] = [];
  let facts = 0;
  for (const row of rows.toSorted((a, b) => (a.memberId < b.memberId ? -1 : 1))) {
    batch.push(row);
    facts += row.events + ORDERS_ASSUMED;
    if (facts < FACTS_AT_ONCE) continue;
    yield batch;
    batch = [];
    facts = 0;
  }
  if (batch.length > 0) yield batch;
}
