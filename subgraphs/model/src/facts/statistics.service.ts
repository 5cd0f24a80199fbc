import { NO_ID } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { timeZoneOf } from '@loyalty/platform/database/time-zone';
import {
  type CartPool,
  type Cutoff,
  emptyBlock,
  type StatisticsBlock,
} from '../standard-model/statistics-block.ts';
import { type History, readHistories } from './fact-history.service.ts';
import { FOLD_VERSION, foldEvents, foldOrders } from './fold.ts';
import {
  type CartCounts,
  cartCounts,
  type FoldedRow,
  replaceRows,
  type Statistics,
  type StatisticsRow,
  statisticsAfter,
  statisticsOf,
} from './statistics.store.ts';
import { type DayOf, dayIn } from './workspace-day.ts';

/**
 * Value of a row that is older than the column of purchase months: the row is folded again when it is read.
 */
const MONTHS_UNKNOWN = -1;

const ALL_MONTHS = 0b1111_1111_1111;

/**
 * The cutoff of a moment, in the time zone of the caller's workspace.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function cutoffAt(ctx: Context, at: Date): Promise<Cutoff> {
  const ms = at.getTime();
  return { ms, day: dayIn(await timeZoneOf(ctx))(ms) };
}

/** The input for members' scores. */
interface MembersAndPool {
  /** In the order of the given ids; a member without facts has an empty row. */
  readonly members: StatisticsBlock;
  readonly pool: CartPool;
}

/**
 * Returns the statistics of members at a cutoff, with the carts of all members of the workspace. Rows that
 * are dirty or later than the cutoff are folded again from the facts up to it. If a member has too many facts
 * for that, its row is marked late, and is empty if it is later than the cutoff. One statement if no row must
 * be folded.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function readMembers(
  ctx: Context,
  memberIds: readonly string[],
  cutoff: Cutoff,
): Promise<MembersAndPool> {
  const timeZone = await timeZoneOf(ctx);
  const { rows, carts } = await statisticsOf(ctx, memberIds);
  const members = emptyBlock(memberIds.length);
  await fill(ctx, members, rows, { cutoff, timeZone });
  return { members, pool: poolOf(carts) };
}

/** A page of all members with facts; a row and its id have the same place. */
interface StatisticsPage {
  readonly memberIds: readonly string[];
  readonly block: StatisticsBlock;
}

/**
 * Returns the next members with facts, sorted by id; empty after the last.
 *
 * @param after.afterMemberId - null for the first page
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function statisticsPage(
  ctx: Context,
  after: { readonly afterMemberId: string | null; readonly limit: number },
  cutoff: Cutoff,
): Promise<StatisticsPage> {
  const timeZone = await timeZoneOf(ctx);
  const found = await statisticsAfter(ctx, after.afterMemberId ?? NO_ID, after.limit);
  const block = emptyBlock(found.length);
  const rows = found.map((row, place) => ({ ...row, place }));
  await fill(ctx, block, rows, { cutoff, timeZone });
  return { memberIds: found.map(({ memberId }) => memberId), block };
}

/** Returns cart additions and removals of all members of the workspace. */
export const cartPool = async (ctx: Context): Promise<CartPool> => poolOf(await cartCounts(ctx));

const poolOf = (counts: CartCounts | null): CartPool => ({
  adds: Number(counts?.adds ?? 0),
  removes: Number(counts?.removes ?? 0),
});

async function fill(
  ctx: Context,
  block: StatisticsBlock,
  rows: readonly (StatisticsRow & { readonly place: number })[],
  { cutoff, timeZone }: { readonly cutoff: Cutoff; readonly timeZone: string },
): Promise<void> {
  const isAhead = (row: StatisticsRow) => (row.maxOccurredMs ?? 0) > cutoff.ms;
  const isUsable = (row: StatisticsRow) =>
    !row.isDirty && row.timeZone === timeZone && row.version === FOLD_VERSION && !isAhead(row);
  const stale = rows.filter((row) => !isUsable(row) || row.purchaseMonths === MONTHS_UNKNOWN);
  const folded = stale.length > 0 ? await refold(ctx, stale, cutoff.ms, timeZone) : new Map<string, null>();
  for (const row of rows) {
    const statistics = folded.get(row.memberId);
    if (statistics === null && !isUsable(row)) block.isLate[row.place] = 1;
    if (statistics !== null || !isAhead(row)) fillRow(block, row.place, statistics ?? row);
  }
}

function fillRow(block: StatisticsBlock, place: number, row: Statistics): void {
  block.purchaseDays[place] = row.purchaseDays;
  block.firstDay[place] = row.firstDay ?? 0;
  block.lastDay[place] = row.lastDay ?? 0;
  block.logSum[place] = row.logSum;
  block.logSquares[place] = row.logSquares;
  block.daySquares[place] = row.daySquares;
  block.purchaseMonths[place] = row.purchaseMonths & ALL_MONTHS;
  block.events[place] = row.events;
  block.sessions[place] = row.sessions;
  block.buySessions[place] = row.buySessions;
  block.firstEventMs[place] = row.firstEventMs ?? Number.NaN;
  block.lastEventMs[place] = row.lastEventMs ?? Number.NaN;
  block.decayedAdds[place] = row.decayedAdds;
  block.decayedRemoves[place] = row.decayedRemoves;
  block.lastCartMs[place] = row.lastCartMs ?? Number.NaN;
  block.decayedOrders[place] = row.decayedOrders;
  block.maxOccurredMs[place] = row.maxOccurredMs ?? Number.NaN;
}

/** Approximate number of facts that are read at once. */
const FACTS_AT_ONCE = 100_000;

/** Assumed number of orders of a member; its row has the number of events only. */
const ORDERS_ASSUMED = 50;

/**
 * Folds the statistics of members again from their facts up to a moment; returns them by member, null if a
 * member has too many facts. A row whose facts are all before that moment is replaced, unless it has changed
 * meanwhile.
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

/**
 * Splits rows into batches of at least one member. Sorted, so that all readers lock rows in the same order.
 */
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
