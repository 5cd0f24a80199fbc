import type { Context } from '@loyalty/platform/context';
import { EMAIL_INDEX } from '@loyalty/platform/email';
import { publish } from '@loyalty/platform/events';
import { refuse } from '@loyalty/platform/imports/import-cells';
import type { ImportTarget, ReadRow } from '@loyalty/platform/imports/import-run';
import type { Import, ImportCounts } from '@loyalty/platform/imports/imports.store';
import { findMembers } from '../members/members.service.ts';
import { orderFingerprint } from '../orders/order-fingerprint.ts';
import { ordersImported } from './order-import.events.ts';
import { type OrderRow, orderFields, readOrder } from './order-import.rows.ts';
import { knownStores, type OrderToWrite, upsertOrders } from './order-import.store.ts';

const BATCH_ROWS = 4_000;
/** Names of members in one question to their subgraph. */
const ASKED_MAX = 2_000;

type Read = ReadRow<OrderRow>;

/**
 * Reads and writes orders of a file: new ones are inserted, those that say the same again are skipped, others
 * are updated or skipped as the import says. They earn no points and tell no events of their own.
 *
 * @remarks Source: requirements L-ORD-05, L-IMP-02
 */
export async function openOrderImport(ctx: Context, job: Import): Promise<ImportTarget<OrderRow>> {
  const stores = await knownStores(ctx);
  return {
    batchRows: BATCH_ROWS,
    read: readOrder,
    async resolve(each, rows) {
      for (const { cells, row } of rows) {
        if (row.storeId && !stores.has(row.storeId))
          refuse(cells, orderFields.store_id, 'is no store of this workspace');
      }
      await resolveMembers(each, rows);
    },
    write: (tx, rows) => writeOrders(tx, job, rows),
    finish: (tx, { id, inserted, updated, skipped, failed }) =>
      publish(tx, ordersImported, { importId: id, inserted, updated, skipped, failed }),
  };
}

/** Finds the members that rows name; a member that does not exist refuses the row. */
async function resolveMembers(ctx: Context, rows: readonly Read[]): Promise<void> {
  const named = rows.filter(({ row }) => row.memberId ?? row.memberEmail ?? row.memberExternalId);
  if (named.length === 0) return;
  const keys = await ctx.services.keyring.of(ctx.scope.workspaceId);
  const indexesOf = new Map<string, readonly string[]>();
  for (const { row } of named) {
    const email = row.memberId ? null : row.memberEmail;
    if (email && !indexesOf.has(email)) indexesOf.set(email, keys.indexes(email, EMAIL_INDEX));
  }
  const found = await askMembers(ctx, {
    ids: distinct(named.map(({ row }) => row.memberId)),
    emailIndexes: [...new Set([...indexesOf.values()].flat())],
    externalIds: distinct(
      named.map(({ row }) => (row.memberId || row.memberEmail ? null : row.memberExternalId)),
    ),
  });
  for (const { cells, row } of named) {
    const { field, id } = memberOf(row, found, indexesOf);
    if (id) row.memberId = id;
    else refuse(cells, field, 'names no member of this workspace; import members first');
  }
}

/** By the first of the names that a row has. */
function memberOf(
  { memberId, memberEmail, memberExternalId }: OrderRow,
  found: FoundMembers,
  indexesOf: ReadonlyMap<string, readonly string[]>,
): { readonly field: number; readonly id: string | undefined } {
  if (memberId) return { field: orderFields.member_id, id: found.byId.get(memberId) };
  if (memberEmail) {
    const indexes = indexesOf.get(memberEmail) ?? [];
    const index = indexes.find((each) => found.byEmail.has(each));
    return { field: orderFields.member_email, id: index && found.byEmail.get(index) };
  }
  return { field: orderFields.member_external_id, id: found.byExternalId.get(memberExternalId!) };
}

interface FoundMembers {
  readonly byId: ReadonlyMap<string, string>;
  readonly byEmail: ReadonlyMap<string, string>;
  readonly byExternalId: ReadonlyMap<string, string>;
}

const distinct = (names: readonly (string | null)[]): string[] => [
  ...new Set(names.filter((name) => name !== null)),
];

/** Asks in portions, so that no question grows beyond what a subgraph reads at once. */
async function askMembers(
  ctx: Context,
  wanted: { readonly ids: string[]; readonly emailIndexes: string[]; readonly externalIds: string[] },
): Promise<FoundMembers> {
  const byId = new Map<string, string>();
  const byEmail = new Map<string, string>();
  const byExternalId = new Map<string, string>();
  for (const kind of ['ids', 'emailIndexes', 'externalIds'] as const) {
    for (let from = 0; from < wanted[kind].length; from += ASKED_MAX) {
      const members = await findMembers(ctx, { [kind]: wanted[kind].slice(from, from + ASKED_MAX) });
      for (const { id, emailIndex, externalId } of members) {
        byId.set(id, id);
        if (emailIndex) byEmail.set(emailIndex, id);
        if (externalId) byExternalId.set(externalId, id);
      }
    }
  }
  return { byId, byEmail, byExternalId };
}

/** Of rows with the same id in one batch the last is written; the others count as what it made of them. */
async function writeOrders(
  tx: Context,
  job: Import,
  rows: readonly Read[],
): Promise<Omit<ImportCounts, 'failed'>> {
  const orders = new Map<string, OrderToWrite>();
  let [updated, skipped] = [0, 0];
  for (const { row } of rows) {
    const order = { ...row, fingerprint: fingerprintOf(row) };
    const before = orders.get(row.externalOrderId);
    if (before && (job.onDuplicate === 'SKIP' || before.fingerprint === order.fingerprint)) skipped += 1;
    else {
      if (before) updated += 1;
      orders.set(row.externalOrderId, order);
    }
  }
  const written = await upsertOrders(tx, job, [...orders.values()]);
  return {
    inserted: written.inserted,
    updated: updated + written.updated,
    skipped: skipped + orders.size - written.inserted - written.updated,
  };
}

const fingerprintOf = (row: OrderRow): string => orderFingerprint({ ...row, couponId: null });
