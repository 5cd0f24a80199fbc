import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { BOUGHT_AT_ONCE_MAX } from '../facts/bought-items.service.ts';
import { findFits, keepFit } from '../standard-model/fits.service.ts';
import { memberBlocks } from '../standard-model/member-blocks.service.ts';
import { type BasketRange, countItems, countPairs, type ItemCounts } from './baskets.store.ts';
import { byCount, type ItemPopularity, type ItemSource } from './item-popularity.ts';

const WINDOW_DAYS = 365;
const ITEMS_MAX = 200;
const PAIRS_MAX = 2_000;
/** With fewer bought items there are no popular items. */
const LINES_MIN = 20;
/** Facts per statement, so that each takes far less than the statement timeout. */
const BLOCK = 50_000;
/** Items whose counts are kept between blocks. */
const COUNTED_ITEMS_MAX = 100_000;

/**
 * Counts the purchases of the workspace's members in the last 365 days, and returns the 200 items and 2,000
 * pairs that are in most baskets; null if fewer than 20 items were bought.
 *
 * @param factsMax - facts to read, member by member. Default: all.
 */
export async function fitItemPopularity(
  ctx: Context,
  factsMax = Number.POSITIVE_INFINITY,
): Promise<ItemPopularity | null> {
  const begun = ctx.clock.now();
  const fitted =
    (await popularityFrom(ctx, 'ORDER_LINES', factsMax)) ?? (await popularityFrom(ctx, 'EVENTS', factsMax));
  await keepFit(ctx, 'ITEM_POPULARITY', fitted, begun);
  return fitted;
}

/**
 * Returns the popular items of the workspace as counted last night. They are counted now if that count is
 * missing or older than a day; in a large workspace an older count is used until the next night.
 */
export async function itemPopularity(ctx: Context): Promise<ItemPopularity | null> {
  const { ITEM_POPULARITY: fit } = await findFits(ctx, ['ITEM_POPULARITY']);
  if (!fit?.content) return fitItemPopularity(ctx, BOUGHT_AT_ONCE_MAX);
  const isFresh = fit.fittedAt >= addMs(ctx.clock.now(), -DAY_MS);
  const isLarge = fit.content.lines >= BOUGHT_AT_ONCE_MAX;
  return isFresh || isLarge ? fit.content : fitItemPopularity(ctx, BOUGHT_AT_ONCE_MAX);
}

const tableOf = { ORDER_LINES: 'order_line_facts', EVENTS: 'event_facts' } as const;

async function popularityFrom(
  ctx: Context,
  source: ItemSource,
  factsMax: number,
): Promise<ItemPopularity | null> {
  const until = ctx.clock.now();
  const window = { since: addMs(until, -WINDOW_DAYS * DAY_MS), until };
  const wanted = { since: window.since, size: BLOCK, factsMax };
  const ranges: BasketRange[] = [];
  const total = { lines: 0, baskets: 0, dataThrough: new Date(0) };
  let counted = new Map<string, number>();
  for await (const block of memberBlocks(ctx, tableOf[source], wanted)) {
    const range = { ...block, ...window };
    ranges.push(range);
    const counts = await countItems(ctx, source, range);
    total.lines += counts.lines;
    total.baskets += counts.baskets;
    if (counts.dataThrough && counts.dataThrough > total.dataThrough) total.dataThrough = counts.dataThrough;
    addCounts(counted, counts);
    // An item that is not among the first 50,000 by then does not become one of the 200 most bought.
    if (counted.size > COUNTED_ITEMS_MAX) counted = new Map(top(counted, COUNTED_ITEMS_MAX / 2));
  }
  if (total.lines < LINES_MIN) return null;
  const items = top(counted, ITEMS_MAX);
  const pairs = await topPairs(ctx, source, ranges, items);
  return { source, ...total, dataThrough: total.dataThrough.toISOString(), items, pairs };
}

function addCounts(counted: Map<string, number>, { itemIds, itemBaskets }: ItemCounts): void {
  itemIds.forEach((id, place) => {
    counted.set(id, (counted.get(id) ?? 0) + itemBaskets[place]!);
  });
}

const top = (counted: ReadonlyMap<string, number>, count: number): [string, number][] =>
  [...counted].sort(byCount).slice(0, count);

async function topPairs(
  ctx: Context,
  source: ItemSource,
  ranges: readonly BasketRange[],
  items: readonly [string, number][],
): Promise<[number, number, number][]> {
  const ids = items.map(([id]) => id);
  const places = new Map(ids.map((id, place) => [id, place]));
  const counted = new Map<number, number>();
  for (const range of ranges) {
    for (const { first, second, baskets } of await countPairs(ctx, source, range, ids)) {
      const [a, b] = [places.get(first)!, places.get(second)!].sort((left, right) => left - right);
      const pair = a! * ITEMS_MAX + b!;
      counted.set(pair, (counted.get(pair) ?? 0) + baskets);
    }
  }
  return [...counted]
    .sort(([a, n], [b, m]) => m - n || a - b)
    .slice(0, PAIRS_MAX)
    .map(([pair, baskets]) => [Math.floor(pair / ITEMS_MAX), pair % ITEMS_MAX, baskets]);
}
