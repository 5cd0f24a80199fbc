import { setImmediate } from 'node:timers/promises';
import { findMembers, type MemberRef } from '@loyalty/loyalty-subgraph/members/member-refs/member-refs.peer';
import type { Context } from '@loyalty/platform/context';
import { refuse } from '@loyalty/platform/imports/import-cells';
import type { ImportTarget, ReadRow } from '@loyalty/platform/imports/import-run';
import type { Import, ImportCounts } from '@loyalty/platform/imports/imports.store';
import { publish } from '@loyalty/platform/outbox/events';
import { EMAIL_INDEX } from '@loyalty/platform/values/email';
import { orderFingerprint } from '../orders/order-fingerprint.ts';
import { ordersImported } from './order-import.events.ts';
import { type OrderRow, orderFields, readOrder } from './order-import.rows.ts';
import { copyLineOf, type Expectation, knownStores, writeOrders } from './order-import.store.ts';

const BATCH_ROWS = 5_000;
/** Names of members in one question to their subgraph. */
const ASKED_MAX = 2_000;
const ENCODED_AT_ONCE = 100;
/** Names of members remembered during one run. */
const MEMBERS_MAX = 100_000;

type Read = ReadRow<OrderRow>;

/**
 * Reads and writes orders of a file: new ones are inserted, those that say the same again are skipped, others
 * are updated or skipped as the import says. They earn no points and tell no events of their own.
 *
 * @remarks Source: requirements L-ORD-05, L-IMP-02
 */
export async function openOrderImport(ctx: Context, job: Import): Promise<ImportTarget<OrderRow>> {
  const stores = await knownStores(ctx);
  const members = new Map<string, string>();
  const expectation = { areNew: true };
  return {
    batchRows: BATCH_ROWS,
    tables: ['commerce.orders'],
    read: readOrder,
    async resolve(each, rows) {
      for (const { cells, row } of rows) {
        if (row.storeId && !stores.has(row.storeId))
          refuse(cells, orderFields.store_id, 'is no store of this workspace');
      }
      await resolveMembers(each, rows, members);
      await encodeOrders(each, job, rows);
    },
    write: (tx, rows) => writeBatch(tx, job, rows, expectation),
    finish: (tx, { id, inserted, updated, skipped, failed }) =>
      publish(tx, ordersImported, { importId: id, inserted, updated, skipped, failed }),
  };
}

/** Finds the members that rows name; a member that does not exist refuses the row. */
async function resolveMembers(
  ctx: Context,
  rows: readonly Read[],
  members: Map<string, string>,
): Promise<void> {
  const keys = await ctx.services.keyring.of(ctx.scope.workspaceId);
  const wanted = new Map<string, MemberName>();
  for (const { row } of rows) {
    const name = nameOf(row);
    if (name && !members.has(name.key)) wanted.set(name.key, name);
  }
  if (members.size > MEMBERS_MAX) members.clear();
  const found = await askMembers(ctx, [...wanted.values()], (email) => keys.indexes(email, EMAIL_INDEX));
  for (const { cells, row } of rows) {
    const name = nameOf(row);
    if (!name) continue;
    const member = found.get(name.key);
    const id = members.get(name.key) ?? member?.id;
    if (member?.status === 'DEACTIVATION_PENDING')
      refuse(cells, orderFields[name.field], 'names a member that is being erased; leave the row out');
    else if (id) {
      row.memberId = id;
      members.set(name.key, id);
    } else refuse(cells, orderFields[name.field], 'names no member of this workspace; import members first');
  }
}

/** What a row is written as; with breath for the batch that is being written meanwhile. */
async function encodeOrders(ctx: Context, job: Import, rows: readonly Read[]): Promise<void> {
  const lineOf = copyLineOf(ctx, job);
  for (const [index, { row }] of rows.entries()) {
    if (index % ENCODED_AT_ONCE === ENCODED_AT_ONCE - 1) await setImmediate();
    row.fingerprint = orderFingerprint({ ...row, couponId: null });
    row.line = lineOf(row);
  }
}

/** The first of the names of a member that a row has. */
interface MemberName {
  readonly field: 'member_id' | 'member_email' | 'member_external_id';
  readonly name: string;
  readonly key: string;
}

function nameOf({ memberId, memberEmail, memberExternalId }: OrderRow): MemberName | null {
  if (memberId) return { field: 'member_id', name: memberId, key: `i${memberId}` };
  if (memberEmail) return { field: 'member_email', name: memberEmail, key: `e${memberEmail}` };
  if (!memberExternalId) return null;
  return { field: 'member_external_id', name: memberExternalId, key: `x${memberExternalId}` };
}

/** Members by the keys of names; asked in portions, so that no question grows without bound. */
async function askMembers(
  ctx: Context,
  names: readonly MemberName[],
  indexesOf: (email: string) => readonly string[],
): Promise<Map<string, MemberRef>> {
  const found = new Map<string, MemberRef>();
  for (let from = 0; from < names.length; from += ASKED_MAX) {
    const portion = names.slice(from, from + ASKED_MAX);
    const of = (field: MemberName['field']) => portion.filter((each) => each.field === field);
    const emails = of('member_email').map(({ name, key }) => ({ key, indexes: indexesOf(name) }));
    const members = await findMembers(ctx, {
      ids: of('member_id').map(({ name }) => name),
      emailIndexes: emails.flatMap(({ indexes }) => indexes),
      externalIds: of('member_external_id').map(({ name }) => name),
    });
    const byIndex = new Map(members.map((member) => [member.emailIndex, member]));
    for (const member of members) {
      found.set(`i${member.id}`, member);
      if (member.externalId) found.set(`x${member.externalId}`, member);
    }
    for (const { key, indexes } of emails) {
      const index = indexes.find((each) => byIndex.has(each));
      if (index) found.set(key, byIndex.get(index)!);
    }
  }
  return found;
}

/** Of rows with the same id in one batch the last is written; the others count as what it made of them. */
async function writeBatch(
  tx: Context,
  job: Import,
  rows: readonly Read[],
  expectation: Expectation,
): Promise<Omit<ImportCounts, 'failed'>> {
  const orders = new Map<string, OrderRow>();
  let [updated, skipped] = [0, 0];
  for (const { row } of rows) {
    const before = orders.get(row.externalOrderId);
    if (before && (job.onDuplicate === 'SKIP' || before.fingerprint === row.fingerprint)) skipped += 1;
    else {
      if (before) updated += 1;
      orders.set(row.externalOrderId, row);
    }
  }
  const written = await writeOrders(tx, job, [...orders.values()], expectation);
  return {
    inserted: written.inserted,
    updated: updated + written.updated,
    skipped: skipped + orders.size - written.inserted - written.updated,
  };
}
