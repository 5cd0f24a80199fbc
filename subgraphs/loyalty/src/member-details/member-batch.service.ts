import { EMAIL_INDEX } from '@loyalty/platform/base/email';
import { busy, invalid } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import { from1To } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import type { WorkspaceKeyring } from '@loyalty/platform/crypto/keyring';
import { publishAll } from '@loyalty/platform/work/events';
import { askOptOuts, type HasOptedOut, keepOptOuts } from '../consents/opt-outs.service.ts';
import { attributeCheck } from '../fields/custom-field-values.service.ts';
import { changesNames, indexChangedMembers, indexNewMembers } from '../members/member-search.service.ts';
import { memberCreated, memberUpdated } from '../members/members.events.ts';
import { openMemberKey, sealDetails, sealMember } from '../members/sealing.ts';
import { putTags } from '../members/tags.service.ts';
import { findStores, noStore } from '../stores.service.ts';
import {
  type BatchRow,
  type CheckedMember,
  checkRows,
  type RowError,
  roundsOf,
  rowError,
} from './member-batch.input.ts';
import {
  attempt,
  type ChangedRow,
  changeRows,
  insertRows,
  lockByAddress,
  type MemberInBatch,
  type NewRow,
  ownersOf,
} from './member-batch.store.ts';

const ROWS_MAX = 100;
const ATTEMPTS_MAX = 3;

/** The result of one row; `memberId` and `isCreated` are null if it failed. */
export interface RowResult {
  readonly index: number;
  readonly isOk: boolean;
  readonly memberId: string | null;
  readonly isCreated: boolean | null;
  readonly error: string | null;
  readonly errorCode: string | null;
}

export interface MemberBatch {
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly results: readonly RowResult[];
}

/**
 * Enrols or updates members by their addresses, in a number of statements that does not grow with the rows. A
 * row with an error changes nothing; the others are committed together. The second row of an address is an
 * update. No row changes a status, so nobody is subscribed again.
 *
 * @param rows - 1 to 100
 * @throws AppError VALIDATION_FAILED (400) for too few or too many rows; BATCH_COLLIDED (409) if other
 *   callers kept writing the same members
 * @remarks Source: requirements L-MEM-23, POST /members/batch
 */
export async function upsertMembers(ctx: Context, rows: readonly BatchRow[]): Promise<MemberBatch> {
  if (rows.length < 1 || rows.length > ROWS_MAX) throw invalid('input', from1To(ROWS_MAX, 'members'));
  const keys = await ctx.services.keyring.of(ctx.scope.workspaceId);
  return ctx.transaction(async (tx) => {
    for (let tries = 0; tries < ATTEMPTS_MAX; tries += 1) {
      const results = await attempt(tx, () => apply(tx, keys, rows));
      if (results) return summary(results);
    }
    throw busy('BATCH_COLLIDED', 'Others kept writing the same members; nothing was done. Try again.');
  });
}

async function apply(tx: Context, keys: WorkspaceKeyring, rows: readonly BatchRow[]): Promise<RowResult[]> {
  const hasAttributes = rows.some((row) => Object.keys(row.customAttributes ?? {}).length > 0);
  const check = hasAttributes ? await attributeCheck(tx) : () => ({ set: {}, cleared: [] });
  const { checked, refused } = checkRows(rows, tx.clock.now().toISOString().slice(0, 10), check);
  const { placed, unplaced } = await checkStores(tx, checked);
  const results = [...refused, ...unplaced].map(failed);
  for (const round of roundsOf(placed)) results.push(...(await applyRound(tx, keys, round)));
  return results.sort((one, other) => one.index - other.index);
}

/** Refuses rows with an unknown store; one question to commerce for all stores. */
async function checkStores(
  tx: Context,
  rows: readonly CheckedMember[],
): Promise<{ readonly placed: readonly CheckedMember[]; readonly unplaced: readonly RowError[] }> {
  const ids = new Set(rows.flatMap(({ details }) => details.homeStoreId ?? []));
  if (ids.size === 0) return { placed: rows, unplaced: [] };
  const stores = new Set((await findStores(tx, [...ids])).map(({ id }) => id));
  const isPlaced = ({ details }: CheckedMember) => !details.homeStoreId || stores.has(details.homeStoreId);
  const unplaced = rows.filter((row) => !isPlaced(row));
  return {
    placed: rows.filter(isPlaced),
    unplaced: unplaced.map(({ index }) => rowError(index, noStore('storeId'))),
  };
}

/** A row with its member, known or new. */
interface Target extends CheckedMember {
  readonly emailIndex: string;
  readonly isUnsubscribed: boolean;
  readonly known: MemberInBatch | undefined;
  readonly memberId: string;
}

/** Rows of distinct members. */
async function applyRound(
  tx: Context,
  keys: WorkspaceKeyring,
  rows: readonly CheckedMember[],
): Promise<RowResult[]> {
  const indexesOf = new Map(rows.map(({ email }) => [email, keys.indexes(email, EMAIL_INDEX)]));
  const hasOptedOut = await askOptOuts(tx, [...indexesOf.values()].flat());
  const targets = await targetsOf(tx, rows, indexesOf, hasOptedOut);
  const { taken, free } = await checkExternalIds(tx, targets);
  const fresh = free.filter(({ known }) => !known);
  const changed = free.filter((target) => target.known && fieldsOf(target).length > 0);
  await insertRows(
    tx,
    fresh.map((target) => newRow(keys, target)),
  );
  await indexNewMembers(
    tx,
    fresh.map(({ memberId: id, details }) => ({ id, details })),
  );
  await keepOptOuts(
    tx,
    fresh.filter(({ isUnsubscribed }) => isUnsubscribed),
    hasOptedOut,
  );
  await changeRows(tx, await Promise.all(changed.map((target) => changedRow(tx, target))));
  await indexChangedMembers(
    tx,
    changed.filter(({ details }) => changesNames(details)).map(({ memberId }) => memberId),
  );
  await publishAll(
    tx,
    memberCreated,
    fresh.map(({ memberId }) => ({ memberId })),
  );
  await publishAll(
    tx,
    memberUpdated,
    changed.map((target) => ({ memberId: target.memberId, fields: fieldsOf(target) })),
  );
  await putTags(tx, free);
  return [...taken.map(failed), ...free.map(succeeded)];
}

async function targetsOf(
  tx: Context,
  rows: readonly CheckedMember[],
  indexesOf: ReadonlyMap<string, readonly string[]>,
  hasOptedOut: HasOptedOut,
): Promise<Target[]> {
  const known = await lockByAddress(tx, [...indexesOf.values()].flat());
  const byIndex = new Map(known.map((member) => [member.emailIndex, member]));
  return rows.map((row) => {
    const indexes = indexesOf.get(row.email)!;
    const found = indexes.map((index) => byIndex.get(index)).find(Boolean);
    const memberId = found?.id ?? newId(tx.clock);
    const isUnsubscribed = hasOptedOut(indexes);
    return { ...row, emailIndex: indexes[0]!, isUnsubscribed, known: found, memberId };
  });
}

/** Refuses rows whose external id belongs to another member or to an earlier row. */
async function checkExternalIds(
  tx: Context,
  targets: readonly Target[],
): Promise<{ readonly taken: RowError[]; readonly free: Target[] }> {
  const ids = targets.flatMap(({ details }) => details.externalId ?? []);
  const owners = await ownersOf(tx, ids);
  const taken: RowError[] = [];
  const free: Target[] = [];
  for (const target of targets) {
    const { externalId } = target.details;
    const owner = externalId ? (owners.get(externalId) ?? target.memberId) : target.memberId;
    if (owner === target.memberId) {
      if (externalId) owners.set(externalId, owner);
      free.push(target);
    } else {
      const message = 'externalId belongs to another member. Send a different one.';
      taken.push({ index: target.index, code: 'EXTERNAL_ID_EXISTS', message });
    }
  }
  return { taken, free };
}

function newRow(keys: WorkspaceKeyring, target: Target): NewRow {
  const { memberId: id, emailIndex, isUnsubscribed, email, details, attributes } = target;
  const sealed = sealMember(keys, { id, email, details });
  return { id, emailIndex, isUnsubscribed, ...sealed, customAttributes: attributes.set };
}

async function changedRow(tx: Context, { known, details, attributes }: Target): Promise<ChangedRow> {
  const key = await openMemberKey(tx, known!);
  return { id: known!.id, details: sealDetails(key, details), ...attributes };
}

/** Fields of a row other than the address, spelled as in the graph. */
const fieldsOf = ({ details, attributes: { set, cleared } }: CheckedMember): string[] => [
  ...Object.keys(details),
  ...(Object.keys(set).length + cleared.length > 0 ? ['customAttributes'] : []),
];

const failed = ({ index, code, message }: RowError): RowResult => ({
  ...{ index, isOk: false, memberId: null, isCreated: null },
  ...{ error: message, errorCode: code },
});

const succeeded = ({ index, memberId, known }: Target): RowResult => ({
  ...{ index, isOk: true, memberId, isCreated: !known },
  ...{ error: null, errorCode: null },
});

function summary(results: readonly RowResult[]): MemberBatch {
  const wrong = results.filter(({ isOk }) => !isOk).length;
  return { total: results.length, succeeded: results.length - wrong, failed: wrong, results };
}
