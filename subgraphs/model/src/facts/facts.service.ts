import { batches, inTurns } from '@loyalty/platform/base/batches';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { noteBoughtItems } from './bought-items.service.ts';
import { type FactKind, type Facts, fingerprintOf, type KnownOrder, type OrderFact } from './fact.ts';
import {
  claimFacts,
  countByKind,
  type FactClaim,
  knownFingerprints,
  ordersByExternalId,
} from './fact-ids.store.ts';
import { appendFew, copyFacts, type StoredFact } from './facts.store.ts';
import { recordEvents, recordOrders } from './record-facts.service.ts';

/** New, known and conflicting facts, by their indexes in the list. */
interface FactComparison {
  /** Not known yet; if the list has an id several times, the first one. */
  readonly fresh: readonly number[];
  /** Known, or earlier in the list, with the same data. */
  readonly same: readonly number[];
  /** Known, or earlier in the list, with other data. */
  readonly conflicts: readonly number[];
}

/** Facts per statement, so that no statement takes longer than the time limit of requests. */
const BATCH_SIZE = 20_000;

/** Facts per turn of the event loop: about a millisecond. */
const TURN_SIZE = 500;

/** Up to this number, facts are written by the statement that claims their ids; more are written by COPY. */
const FEW = 100;

/** Compares without writing anything. */
export async function compareFacts<Kind extends FactKind>(
  ctx: Context,
  kind: Kind,
  facts: readonly Facts[Kind][],
): Promise<FactComparison> {
  const list = await readFactList(kind, facts);
  const known = new Map<string, string>();
  for (const batch of batches(list.firsts, BATCH_SIZE)) {
    const ids = batch.map((place) => facts[place]!.externalId);
    for (const [id, fingerprint] of await knownFingerprints(ctx, kind, ids)) known.set(id, fingerprint);
  }
  return compare(facts, list, known);
}

/**
 * Appends the facts that are not known yet and updates the statistics of their members, all within the
 * caller's transaction. Concurrent callers append each fact once.
 *
 * @returns the comparison at the time of writing; facts in `conflicts` are not written
 * @throws AppError PEER_UNAVAILABLE (503)
 * @remarks Source: model API, section 4 "Data import"; M-IMP-09
 */
export async function appendFacts<Kind extends FactKind>(
  tx: Context,
  kind: Kind,
  facts: readonly Facts[Kind][],
): Promise<FactComparison> {
  const list = await readFactList(kind, facts);
  const known = new Map<string, string>();
  const appended: StoredFact<Kind>[] = [];
  for (const batch of batches(list.firsts, BATCH_SIZE)) {
    const stored = batch.map((place) => storedFact(tx, kind, facts[place]!));
    const claims = stored.map((fact, index) => claimOf(kind, fact, list.fingerprints[batch[index]!]!));
    const isFew = batch.length <= FEW;
    const before = isFew ? await appendFew(tx, kind, stored, claims) : await claimFacts(tx, kind, claims);
    if (before) {
      const fingerprints = await knownFingerprints(tx, kind, [...before]);
      for (const [id, fingerprint] of fingerprints) known.set(id, fingerprint);
    }
    const fresh = before ? stored.filter(({ externalId }) => !before.has(externalId)) : stored;
    if (fresh.length > 0 && !isFew) await copyFacts(tx, kind, fresh);
    for (const fact of fresh) appended.push(fact);
  }
  await record(tx, kind, appended);
  return compare(facts, list, known);
}

/** Returns orders by their ids in the customer's own systems, from imports and from commerce. */
export async function findOrders(
  ctx: Context,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, KnownOrder>> {
  const found = new Map<string, KnownOrder>();
  for (const batch of batches([...new Set(externalIds)].sort(), BATCH_SIZE)) {
    for (const [id, order] of await ordersByExternalId(ctx, batch)) found.set(id, order);
  }
  return found;
}

/** Returns the number of facts of each kind. */
export async function countFacts(ctx: Context): Promise<Record<FactKind, number>> {
  const counts = { ORDERS: 0, EVENTS: 0, ORDER_LINES: 0, CHANNEL_RECEIPTS: 0 };
  for (const { kind, total } of await countByKind(ctx)) counts[kind] = total;
  return counts;
}

/** A list of facts: the fingerprint of each, and the index of the first fact of each id, sorted by id. */
interface FactList {
  readonly fingerprints: readonly string[];
  readonly firstById: ReadonlyMap<string, number>;
  readonly firsts: readonly number[];
}

async function readFactList<Kind extends FactKind>(
  kind: Kind,
  facts: readonly Facts[Kind][],
): Promise<FactList> {
  const firstById = new Map<string, number>();
  const fingerprints: string[] = [];
  for await (const part of inTurns(batches(facts, TURN_SIZE))) {
    for (const fact of part) {
      if (!firstById.has(fact.externalId)) firstById.set(fact.externalId, fingerprints.length);
      fingerprints.push(fingerprintOf(kind, fact));
    }
  }
  // The ids are sorted, not their indexes: this takes half the time.
  const firsts = [...firstById.keys()].sort().map((id) => firstById.get(id)!);
  return { fingerprints, firstById, firsts };
}

/** @param known - fingerprints by id of the facts that were known before this list */
async function compare<Kind extends FactKind>(
  facts: readonly Facts[Kind][],
  { fingerprints, firstById }: FactList,
  known: ReadonlyMap<string, string>,
): Promise<FactComparison> {
  const compared = { fresh: [] as number[], same: [] as number[], conflicts: [] as number[] };
  let place = 0;
  for await (const part of inTurns(batches(facts, TURN_SIZE))) {
    for (const { externalId } of part) {
      const first = firstById.get(externalId)!;
      const before = known.get(externalId);
      if (before === undefined && first === place) compared.fresh.push(place);
      else if ((before ?? fingerprints[first]) === fingerprints[place]) compared.same.push(place);
      else compared.conflicts.push(place);
      place += 1;
    }
  }
  return compared;
}

function storedFact<Kind extends FactKind>(tx: Context, kind: Kind, fact: Facts[Kind]): StoredFact<Kind> {
  if (kind !== 'ORDERS') return fact as StoredFact<Kind>;
  const order = fact as OrderFact;
  const { orderId = newId(tx.clock), recordedAt = tx.clock.now() } = order;
  return { ...order, orderId, recordedAt } as StoredFact<Kind>;
}

function claimOf<Kind extends FactKind>(kind: Kind, fact: StoredFact<Kind>, fingerprint: string): FactClaim {
  const { externalId, memberId } = fact;
  if (kind !== 'ORDERS') return { externalId, memberId, fingerprint, order: null };
  const { orderId, occurredAt, currency } = fact as StoredFact<'ORDERS'>;
  return { externalId, memberId, fingerprint, order: { id: orderId, occurredAt, currency } };
}

async function record<Kind extends FactKind>(
  tx: Context,
  kind: Kind,
  appended: readonly StoredFact<Kind>[],
): Promise<void> {
  if (appended.length === 0) return;
  if (kind === 'ORDERS') await recordOrders(tx, appended as readonly StoredFact<'ORDERS'>[]);
  if (kind === 'EVENTS') await recordEvents(tx, appended as readonly StoredFact<'EVENTS'>[]);
  await noteBoughtItems(tx, kind, appended as readonly Facts[Kind][]);
}
