import { batches } from '@loyalty/platform/base/batches';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { noteCorrectedOrders } from './bought-items.service.ts';
import { correctedState, type OrderRef, type OrderUpdate } from './order-update.ts';
import {
  appendStates,
  type CorrectedFact,
  countUpdates,
  factsOfOrders,
  findUpdates,
  insertUpdates,
  type KeptUpdate,
  lockOrders,
  updatesOfOrders,
} from './order-updates.store.ts';
import { recordCorrections } from './record-facts.service.ts';

/** New, known and conflicting corrections, by their indexes in the list. */
interface UpdateComparison {
  readonly fresh: readonly number[];
  readonly same: readonly number[];
  /** Known, or earlier in the list, with other data; or the order is gone or has another member. */
  readonly conflicts: readonly number[];
}

/** Corrections or orders per statement, so that no statement takes longer than the time limit of requests. */
const BATCH_SIZE = 5_000;

/** Compares without writing anything. */
export const compareUpdates = async (
  ctx: Context,
  updates: readonly OrderUpdate[],
): Promise<UpdateComparison> =>
  compare(updates, await knownUpdates(ctx, [...new Set(updates.map(({ externalId }) => externalId))]));

/**
 * Stores the corrections that are not known yet, and appends a fact of each order that they change, within
 * the caller's transaction. Concurrent callers wait for each other order by order, and each correction is
 * stored once. Members of changed orders are folded again when they are read, as after late facts.
 *
 * @returns the comparison at the time of writing; nothing may be committed if it has conflicts
 */
export async function appendUpdates(tx: Context, updates: readonly OrderUpdate[]): Promise<UpdateComparison> {
  const orders = await lockOrders(tx, [...new Set(updates.map(({ order }) => order))]);
  const moved = updates.flatMap(({ order, memberId }, place) =>
    orders.get(order)?.memberId === memberId ? [] : [place],
  );
  if (moved.length > 0) return { fresh: [], same: [], conflicts: moved };
  const firsts = new Map<string, OrderUpdate & { readonly id: string }>();
  for (const update of updates) {
    if (!firsts.has(update.externalId)) firsts.set(update.externalId, { ...update, id: newId(tx.clock) });
  }
  // Always sorted, so that two files of the same corrections cannot deadlock.
  const sorted = [...firsts.values()].sort((a, b) => (a.externalId < b.externalId ? -1 : 1));
  const known = new Map<string, KeptUpdate>();
  const added: (typeof sorted)[number][] = [];
  for (const batch of batches(sorted, BATCH_SIZE)) {
    const inserted = await insertUpdates(tx, batch);
    const before = batch.filter(({ externalId }) => !inserted.has(externalId));
    for (const update of batch) if (inserted.has(update.externalId)) added.push(update);
    const ids = before.map(({ externalId }) => externalId);
    for (const [id, update] of await knownUpdates(tx, ids)) known.set(id, update);
  }
  await correct(tx, added);
  return compare(updates, known);
}

/** Returns the first imported amounts of orders, in minor units, by the orders' ids. */
export async function firstAmounts(
  ctx: Context,
  orders: readonly OrderRef[],
): Promise<ReadonlyMap<string, bigint>> {
  const found = new Map<string, bigint>();
  for (const batch of batches(orders, BATCH_SIZE)) {
    for (const { place, amountMinor } of await factsOfOrders(ctx, batch)) {
      const { orderId } = batch[place]!;
      if (!found.has(orderId)) found.set(orderId, amountMinor);
    }
  }
  return found;
}

/** Returns the number of corrections. */
export const countOrderUpdates = (ctx: Context): Promise<number> => countUpdates(ctx);

async function knownUpdates(
  ctx: Context,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, KeptUpdate>> {
  const known = new Map<string, KeptUpdate>();
  for (const batch of batches(externalIds, BATCH_SIZE)) {
    for (const [id, update] of await findUpdates(ctx, batch)) known.set(id, update);
  }
  return known;
}

/** Appends the new state of each order that the corrections change; the corrections are stored already. */
async function correct(tx: Context, added: readonly (KeptUpdate & { readonly id: string })[]): Promise<void> {
  const orders = [...new Map(added.map((update) => [update.orderId, update])).values()];
  const appended: CorrectedFact[] = [];
  for (const batch of batches(orders, BATCH_SIZE)) {
    const facts = Map.groupBy(await factsOfOrders(tx, batch), ({ place }) => place);
    const updates = Map.groupBy(await updatesOfOrders(tx, batch), ({ place }) => place);
    const changed = batch.flatMap(({ id, orderId, memberId }, place): CorrectedFact[] => {
      const state = correctedState(facts.get(place)!, updates.get(place)!);
      return state ? [{ ...state, id, orderId, memberId }] : [];
    });
    if (changed.length > 0) await appendStates(tx, changed);
    for (const fact of changed) appended.push(fact);
  }
  if (appended.length === 0) return;
  await recordCorrections(tx, appended);
  await noteCorrectedOrders(tx, appended);
}

function compare(updates: readonly OrderUpdate[], known: ReadonlyMap<string, KeptUpdate>): UpdateComparison {
  const compared = { fresh: [] as number[], same: [] as number[], conflicts: [] as number[] };
  const seen = new Map<string, KeptUpdate>(known);
  for (const [place, update] of updates.entries()) {
    const before = seen.get(update.externalId);
    if (!before) {
      seen.set(update.externalId, update);
      compared.fresh.push(place);
    } else compared[isSame(before, update) ? 'same' : 'conflicts'].push(place);
  }
  return compared;
}

const isSame = (one: KeptUpdate, other: KeptUpdate): boolean =>
  one.orderId === other.orderId &&
  one.status === other.status &&
  one.amountMinor === other.amountMinor &&
  one.occurredAt.getTime() === other.occurredAt.getTime();
