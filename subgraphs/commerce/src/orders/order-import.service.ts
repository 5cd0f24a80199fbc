import { batches, inTurns } from '@loyalty/platform/base/batches';
import { EMAIL_INDEX } from '@loyalty/platform/base/email';
import { inputRule, unknownStore } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { refuse } from '@loyalty/platform/imports/import-cells';
import type { ImportTarget, ReadRow } from '@loyalty/platform/imports/import-job';
import type { Import, ImportCounts } from '@loyalty/platform/imports/imports.store';
import type { MemberRefFragment } from '#generated/peers';
import { isOpen } from '../members.ts';
import { findMembers } from '../peers.ts';
import { orderFingerprint } from './order-fingerprint.ts';
import { type OrderRow, orderField } from './order-import.input.ts';
import { copyLineOf, type Expectation, knownStores, writeOrders } from './order-import.store.ts';
import { addToOrderCounts } from './orders.store.ts';
import { countImportedSales } from './sales-statistics.service.ts';

/** Batch size: members that one request to the loyalty subgraph looks up. */
const LOOKUP_MAX = 2_000;
/** Maximum number of members that one run caches. */
const MEMBERS_MAX = 100_000;

type Read = ReadRow<OrderRow>;

/**
 * Writes orders of a file. New orders are inserted, unchanged orders are skipped, and changed orders are
 * updated or skipped, depending on `onDuplicate`. They earn no points and publish no events of their own.
 *
 * @remarks Source: requirements L-ORD-05, L-IMP-02
 */
export async function openOrderImport(ctx: Context, job: Import): Promise<ImportTarget<OrderRow>> {
  const stores = await knownStores(ctx);
  const members = new Map<string, string>();
  const expectation = { areNew: true };
  return {
    tables: ['commerce.orders'],
    async resolve(each, rows) {
      for (const { cells, row } of rows) {
        if (row.storeId && !stores.has(row.storeId)) refuse(cells, orderField.store_id, unknownStore);
      }
      await resolveMembers(each, rows, members);
      await encodeOrders(each, job, rows);
    },
    write: (tx, rows) => writeBatch(tx, job, rows, expectation),
  };
}

const erasedMember = inputRule('ERASED_MEMBER', 'names a member that is being erased; leave the row out');
const unknownMember = inputRule('UNKNOWN_MEMBER', 'names no member of this workspace; import members first');

/** Finds the members of rows. A row whose member does not exist is refused. */
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
  const found = await lookUpMembers(ctx, [...wanted.values()], (email) => keys.indexes(email, EMAIL_INDEX));
  for (const { cells, row } of rows) {
    const name = nameOf(row);
    if (!name) continue;
    const member = found.get(name.key);
    const id = members.get(name.key) ?? member?.id;
    if (member && !isOpen(member)) refuse(cells, orderField[name.field], erasedMember);
    else if (id) {
      row.memberId = id;
      members.set(name.key, id);
    } else refuse(cells, orderField[name.field], unknownMember);
  }
}

/** Encodes rows for COPY. */
async function encodeOrders(ctx: Context, job: Import, rows: readonly Read[]): Promise<void> {
  const lineOf = copyLineOf(ctx, job);
  for await (const { row } of inTurns(rows)) {
    row.fingerprint = orderFingerprint({ ...row, couponId: null });
    row.line = lineOf(row);
  }
}

/** The reference of a row to its member: the first of three fields that has a value. */
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

/**
 * Looks up members in batches, so that the size of a request is limited. Returns them by `MemberName.key`.
 */
async function lookUpMembers(
  ctx: Context,
  names: readonly MemberName[],
  indexesOf: (email: string) => readonly string[],
): Promise<Map<string, MemberRefFragment>> {
  const found = new Map<string, MemberRefFragment>();
  for (const portion of batches(names, LOOKUP_MAX)) {
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

/**
 * Writes a batch. If rows have the same id, the last one is written and the others count as updated or
 * skipped.
 */
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
  await addToOrderCounts(tx, written.inserted);
  await countImportedSales(tx, written.sales);
  return {
    inserted: written.inserted,
    updated: updated + written.updated,
    skipped: skipped + orders.size - written.inserted - written.updated,
  };
}
