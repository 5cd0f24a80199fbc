import { batches } from '@loyalty/platform/base/batches';
import { type Scope, systemCaller } from '@loyalty/platform/base/caller';
import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { LAST_ID, memberBlocks, withLongTimeout } from '../standard-model/member-blocks.service.ts';
import { addBasket, type BasketCounts, mergedPartners, noBaskets } from './basket-counts.ts';
import {
  endOfUncounted,
  scopesWithUncounted,
  type TakenBasket,
  takeBaskets,
  takeUncounted,
} from './baskets.store.ts';
import {
  addToTotal,
  deleteCounts,
  hasCorrections,
  partnersOf,
  tryToCount,
  upsertPartners,
} from './item-partners.store.ts';
import { itemPopularity } from './item-popularity.service.ts';
import type { ItemSource } from './item-popularity.ts';

/** Baskets per transaction. */
const BLOCK = 20_000;
/** Up to this number of baskets are counted right after an import. */
const AT_ONCE_MAX = 1_000;
/** Facts that one statement reads when all baskets are recounted. */
const FACTS_BLOCK = 50_000;
/** Pairs in memory (about 30 MB) before they are merged into the table. */
const PAIRS_MAX = 400_000;
/** Items per statement. */
const ITEMS_AT_ONCE = 2_000;
/**
 * Workspaces with more bought items are not recounted: corrected orders stay in their counts and fade with
 * time.
 */
const RECOUNTED_LINES_MAX = 2_000_000;

/**
 * Counts the new baskets of all workspaces. A failed workspace does not stop the others.
 *
 * @throws AggregateError of all failures, after all other workspaces
 */
export async function countAllBaskets(ctx: Context): Promise<void> {
  const failures: unknown[] = [];
  for (const scope of await scopesWithUncounted(ctx)) {
    await countBaskets(inside(ctx, scope)).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `baskets of ${failures.length} workspaces were not counted`);
}

const inside = (ctx: Context, scope: Scope): Context => ctx.as(systemCaller('count-baskets', scope));

/**
 * Counts the workspace's new baskets, each once, despite failures and concurrent runs; then recounts popular
 * items in a small workspace. Ends early if another worker is counting.
 */
export async function countBaskets(ctx: Context): Promise<void> {
  for (let isMore = true; isMore; ) isMore = await withLongTimeout(ctx, countBlock);
  await itemPopularity(ctx);
}

/**
 * Counts the baskets of an import if they are few. Many uploads are counted together within a minute, so that
 * counting does not slow them down.
 */
export async function countImportedBaskets(ctx: Context): Promise<void> {
  if ((await endOfUncounted(ctx, AT_ONCE_MAX)) === null) await countBaskets(ctx);
}

/** Counts one block of baskets; returns true if more are left. */
async function countBlock(tx: Context): Promise<boolean> {
  if (!(await tryToCount(tx))) return false;
  const toId = await endOfUncounted(tx, BLOCK);
  const taken = await takeUncounted(tx, toId ?? LAST_ID);
  for (const source of ['ORDER_LINES', 'EVENTS'] as const) {
    const baskets = taken.filter((basket) => basket.source === source);
    if (baskets.length === 0) continue;
    const counter = counterOf(tx, source);
    for (const basket of baskets) {
      if (basket.isCounted) await counter.add(basket.occurredAt, ...splitItems(basket));
    }
    await counter.end(baskets.some(({ isCorrected }) => isCorrected));
  }
  return toId !== null;
}

/** Splits the distinct items of a basket into those to count and those that were counted before. */
function splitItems({ addedIds, allIds }: TakenBasket): [added: string[], counted: string[]] {
  const left = countsOf(allIds);
  for (const [id, times] of countsOf(addedIds)) left.set(id, (left.get(id) ?? 0) - times);
  const ids = [...new Set(allIds)].sort();
  const counted = ids.filter((id) => left.get(id)! > 0);
  const before = new Set(counted);
  return [ids.filter((id) => !before.has(id)), counted];
}

function countsOf(ids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/**
 * Recounts all baskets of the workspace from its facts if orders were corrected since the last time, for
 * example by refunds; not in very large workspaces.
 *
 * @param lines - bought items of the last year
 */
export async function recountBaskets(ctx: Context, lines: number): Promise<void> {
  if (lines > RECOUNTED_LINES_MAX || !(await hasCorrections(ctx))) return;
  await withLongTimeout(ctx, async (tx) => {
    if (!(await tryToCount(tx))) return;
    await deleteCounts(tx);
    await recount(tx, 'ORDER_LINES');
    await recount(tx, 'EVENTS');
  });
}

const tableOf = { ORDER_LINES: 'order_line_facts', EVENTS: 'event_facts' } as const;

async function recount(tx: Context, source: ItemSource): Promise<void> {
  const counter = counterOf(tx, source);
  const since = new Date(0);
  const until = addMs(tx.clock.now(), 365 * DAY_MS);
  const wanted = { since, size: FACTS_BLOCK, factsMax: Number.POSITIVE_INFINITY };
  for await (const block of memberBlocks(tx, tableOf[source], wanted)) {
    for (const { items, occurredAt } of await takeBaskets(tx, source, { ...block, since, until }))
      await counter.add(occurredAt, [...items].sort(), []);
  }
  await counter.end(false);
}

/** Counts in memory, and merges the counts into the table when they exceed `PAIRS_MAX`. */
function counterOf(tx: Context, source: ItemSource) {
  let counts = noBaskets();
  const flush = async (isCorrected = false) => {
    const { weight, items } = counts;
    counts = noBaskets();
    await mergeItems(tx, source, items);
    if (weight > 0 || isCorrected) await addToTotal(tx, source, weight, isCorrected);
  };
  return {
    async add(occurredAt: Date, added: readonly string[], counted: readonly string[]): Promise<void> {
      addBasket(counts, occurredAt, added, counted);
      if (counts.pairs > PAIRS_MAX) await flush();
    },
    end: flush,
  };
}

async function mergeItems(tx: Context, source: ItemSource, items: BasketCounts['items']): Promise<void> {
  const ids = [...items.keys()].sort();
  for (const some of batches(ids, ITEMS_AT_ONCE)) {
    const kept = new Map((await partnersOf(tx, source, some)).map((item) => [item.itemId, item]));
    await upsertPartners(
      tx,
      source,
      some.map((id) => mergedPartners(id, items.get(id)!, kept.get(id))),
    );
  }
}
