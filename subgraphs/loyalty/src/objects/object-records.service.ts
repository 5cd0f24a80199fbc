import { notFound } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { guardWrite } from '@loyalty/platform/identity/write-guard';
import { publish, publishAll } from '@loyalty/platform/work/events';
import {
  changeRecord,
  eraseRecordsOf,
  fillRecords,
  insertRecord,
  markDeleted,
  type RecordData,
} from './object-records.store.ts';
import { countRecord, lockObjectType, referredType } from './object-types.service.ts';
import { recordCreated, recordDeleted, recordUpdated } from './objects.events.ts';
import { checkData, checkRequired } from './record-data.service.ts';
import { defaultsOf, getRecord, shapeOf, type TypedRecord, typed } from './record-lists.service.ts';

/**
 * Adds a record to a published type.
 *
 * @throws AppError OBJECT_TYPE_NOT_FOUND (404), VALIDATION_FAILED, SENSITIVE_VALUE (400), RATE_LIMITED (429),
 *   GUARD_UNAVAILABLE (503)
 * @remarks Source: v2 REST API, section 4 "Custom objects", POST /objects/{type}/records
 */
export async function createRecord(ctx: Context, typeName: string, data: RecordData): Promise<TypedRecord> {
  await guardWrite(ctx, 'record');
  return ctx.transaction(async (tx) => {
    const type = await lockObjectType(tx, typeName);
    const defaults = defaultsOf(type);
    const { set } = await checkData(tx, type, data, defaults);
    const record = await insertRecord(tx, shapeOf(type), newId(tx.clock), { ...defaults, ...set });
    await publish(tx, recordCreated, { recordId: record.id, objectType: type.type });
    await countRecord(tx, type.id, record.id, 1);
    return typed(type, record);
  });
}

export interface UpdateRecord {
  readonly type: string;
  readonly id: string;
  readonly data: RecordData;
  readonly replace?: boolean | null | undefined;
}

/**
 * Changes the sent fields, null clears one; concurrent changes of different fields are all kept. With
 * `replace` the new data replaces all fields. A call without fields changes and publishes nothing.
 *
 * @throws AppError OBJECT_TYPE_NOT_FOUND, RECORD_NOT_FOUND (404), VALIDATION_FAILED, SENSITIVE_VALUE (400),
 *   RATE_LIMITED (429), GUARD_UNAVAILABLE (503)
 * @remarks Source: v2 REST API, section 3 and section 4 "Custom objects", PATCH /objects/{type}/records/{id}
 */
export async function updateRecord(ctx: Context, update: UpdateRecord): Promise<TypedRecord> {
  await guardWrite(ctx, 'record');
  const isReplacement = update.replace ?? false;
  if (!isReplacement && Object.keys(update.data).length === 0) return getRecord(ctx, update.type, update.id);
  return ctx.transaction(async (tx) => {
    const type = await lockObjectType(tx, update.type);
    const checked = await checkData(tx, type, update.data);
    const change = { ...checked, defaults: defaultsOf(type), isReplacement };
    const record = await changeRecord(tx, shapeOf(type), update.id, change);
    if (!record) throw notFound('record', update.id);
    // The row is locked; an error rolls the change back.
    checkRequired(type, record.data);
    await publish(tx, recordUpdated, { recordId: record.id, objectType: type.type });
    return typed(type, record);
  });
}

/**
 * Deletes a record; it can be restored.
 *
 * @throws AppError OBJECT_TYPE_NOT_FOUND, RECORD_NOT_FOUND (404, also for a second deletion), RATE_LIMITED
 *   (429), GUARD_UNAVAILABLE (503)
 * @remarks Source: v2 REST API, section 4 "Custom objects", DELETE /objects/{type}/records/{recordId}
 */
export async function deleteRecord(ctx: Context, typeName: string, id: string): Promise<TypedRecord> {
  await guardWrite(ctx, 'record');
  return ctx.transaction(async (tx) => {
    const type = await lockObjectType(tx, typeName);
    const record = await markDeleted(tx, type.id, id, true);
    if (!record) throw notFound('record', id);
    await publish(tx, recordDeleted, { recordId: id, objectType: type.type });
    await countRecord(tx, type.id, id, -1);
    return typed(type, record);
  });
}

/**
 * Restores a deleted record, if its data is still valid for the type: options and referenced records may be
 * gone.
 *
 * @throws AppError OBJECT_TYPE_NOT_FOUND, RECORD_NOT_FOUND (404, also if it is not deleted),
 *   VALIDATION_FAILED (400), RATE_LIMITED (429), GUARD_UNAVAILABLE (503)
 */
export async function restoreRecord(ctx: Context, typeName: string, id: string): Promise<TypedRecord> {
  await guardWrite(ctx, 'record');
  return ctx.transaction(async (tx) => {
    const type = await lockObjectType(tx, typeName);
    const record = await markDeleted(tx, type.id, id, false);
    if (!record) throw notFound('record', id);
    await checkData(tx, type, record.data);
    checkRequired(type, { ...defaultsOf(type), ...record.data });
    await publish(tx, recordUpdated, { recordId: id, objectType: type.type });
    await countRecord(tx, type.id, id, 1);
    return typed(type, record);
  });
}

/**
 * Writes the default of a required field into every record of the caller's mode without a value, 500 at a
 * time; a repeated run continues with the remaining records.
 */
export async function fillDefault(ctx: Context, objectTypeId: string, key: string): Promise<void> {
  const type = await referredType(ctx, objectTypeId);
  if (!type) return;
  const defaults = defaultsOf(type);
  let afterId: string | null = null;
  do afterId = await fillRecords(ctx, shapeOf(type), { key, defaults, afterId });
  while (afterId);
}

/**
 * Erases the records that refer to an erased member: they are deleted with all their content. Only their
 * references to other members stay, so that segments of these members are notified.
 */
export async function eraseMemberRecords(ctx: Context, memberId: string): Promise<void> {
  let erased: number;
  do erased = await ctx.transaction((tx) => eraseSome(tx, memberId));
  while (erased > 0);
}

async function eraseSome(tx: Context, memberId: string): Promise<number> {
  const records = await eraseRecordsOf(tx, memberId);
  const present = records.filter(({ wasDeleted }) => !wasDeleted);
  await publishAll(
    tx,
    recordDeleted,
    present.map(({ id, type }) => ({ recordId: id, objectType: type })),
  );
  for (const { id, objectTypeId } of present) await countRecord(tx, objectTypeId, id, -1);
  return records.length;
}
