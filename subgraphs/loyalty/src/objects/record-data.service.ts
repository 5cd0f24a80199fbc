import { type AppError, invalid } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { inputRule, required } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { memberRefs } from '../members/members.service.ts';
import { presentRecords, type RecordData } from './object-records.store.ts';
import type { ObjectField, ObjectType } from './object-types.service.ts';
import { checkRecordValue, type RecordValue } from './object-values.ts';

/** Checked data of one write: values to set, and keys to delete. */
interface CheckedData {
  readonly set: Readonly<Record<string, RecordValue>>;
  readonly cleared: readonly string[];
}

/**
 * Checks data against the type, all or nothing, keys in the order in which they were sent. A member or record
 * of another workspace is refused with the same error as an unknown one.
 *
 * @throws AppError VALIDATION_FAILED, SENSITIVE_VALUE (400), naming every invalid field
 */
export async function checkData(
  ctx: Context,
  type: ObjectType,
  data: RecordData,
  defaults: RecordData | null = null,
): Promise<CheckedData> {
  const byKey = new Map(type.fields.map((field) => [field.key, field]));
  const set: Record<string, RecordValue> = {};
  const cleared: string[] = [];
  gathered((check) => {
    for (const [key, value] of Object.entries(data)) {
      check(() => {
        const field = byKey.get(key);
        if (!field) throw unknownField(type, key);
        if (value !== null && value !== undefined) set[key] = checkRecordValue(`data.${key}`, field, value);
        else if (field.isRequired) throw invalid(`data.${key}`, required);
        else cleared.push(key);
      });
    }
    if (defaults) checkRequired(type, { ...defaults, ...data });
  });
  await checkReferences(ctx, type.fields, set);
  return { set, cleared };
}

/**
 * Checks that the data after a write has every required field.
 *
 * @throws AppError VALIDATION_FAILED (400) naming all missing ones
 */
export function checkRequired({ fields }: ObjectType, data: RecordData): void {
  gathered((check) => {
    for (const { key, isRequired } of fields) {
      check(() => {
        if (isRequired && !Object.hasOwn(data, key)) throw invalid(`data.${key}`, required);
      });
    }
  });
}

/** Text that is not a valid key is not repeated: it may be personal data. */
function unknownField(type: ObjectType, key: string): AppError {
  const path = /^\w{1,63}$/.test(key) ? `data.${key}` : 'data';
  const known = type.fields.map((field) => field.key).join(', ');
  return invalid(path, `names a field that ${type.type} lacks; known are ${known}`);
}

/** Checks references with one query for all members and one for all records. */
async function checkReferences(
  ctx: Context,
  fields: readonly ObjectField[],
  set: Readonly<Record<string, RecordValue>>,
): Promise<void> {
  const refs = fields.flatMap((field) => {
    const id = set[field.key];
    return typeof id === 'string' && /^(MEMBER|RECORD)_REF$/.test(field.type) ? [{ field, id }] : [];
  });
  const idsOf = (type: string) => refs.filter(({ field }) => field.type === type).map(({ id }) => id);
  const [memberIds, recordIds] = [idsOf('MEMBER_REF'), idsOf('RECORD_REF')];
  const members = memberIds.length > 0 ? await memberRefs(ctx, { ids: memberIds }) : [];
  const records = recordIds.length > 0 ? await presentRecords(ctx, recordIds) : new Set<string>();
  const known = new Set(members.map(({ id }) => id));
  for (const { field, id } of refs) {
    if (field.type === 'MEMBER_REF' && !known.has(id))
      throw invalid(`data.${field.key}`, inputRule('UNKNOWN', 'must be the id of a member'));
    if (field.type === 'RECORD_REF' && !records.has(`${field.refType}/${id}`))
      throw invalid(`data.${field.key}`, `must be the id of a record of ${field.refType}`);
  }
}
