import { conflict, invalid } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { newId } from '@loyalty/platform/base/ids';
import { atMost, inputRule } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/identity/audit';
import { publish } from '@loyalty/platform/work/events';
import {
  checkField,
  checkLabel,
  checkMachineName,
  checkOptions,
  type ObjectFieldInput,
} from './object-fields.ts';
import { hasRecords, lockDefinition, optionInUse } from './object-types.service.ts';
import {
  allTypes,
  changeField,
  changeType,
  insertFields,
  insertType,
  lockTypes,
  type ObjectField,
  type ObjectType,
  type ObjectTypeStatus,
} from './object-types.store.ts';
import { objectFieldAdded, objectTypeChanged } from './objects.events.ts';

const TYPES_MAX = 200;
const FIELDS_MAX = 100;

interface DefineObjectType {
  readonly type: string;
  readonly label: string;
  readonly fields: readonly ObjectFieldInput[];
  readonly apiVisible?: boolean | null | undefined;
}

/**
 * Defines a type as a draft; its machine name and its fields' keys and types are fixed from then on.
 *
 * @throws AppError VALIDATION_FAILED, SENSITIVE_FIELD (400), OBJECT_TYPE_EXISTS (409)
 * @remarks Source: v2 REST API, section 2 "Custom object type"
 */
export async function defineObjectType(ctx: Context, input: DefineObjectType): Promise<ObjectType> {
  const isApiVisible = input.apiVisible ?? true;
  const { type, label, fields } = gathered((check) => ({
    type: check(() => checkMachineName('input.type', input.type)),
    label: check(() => checkLabel('input.label', input.label)),
    fields: input.fields.map((field, index) => check(() => checkField(`input.fields[${index}]`, field))),
  }));
  if (fields.length > FIELDS_MAX) throw invalid('input.fields', atMost(FIELDS_MAX));
  if (new Set(fields.map(({ key }) => key)).size !== fields.length)
    throw invalid('input.fields', inputRule('DISTINCT', 'must have distinct keys'));
  return ctx.transaction(async (tx) => {
    await lockTypes(tx, 'WRITER_OF_TYPES');
    const present = (await allTypes(tx)).map((other) => other.type);
    if (present.length >= TYPES_MAX)
      throw conflict('OBJECT_TYPES_EXHAUSTED', `A workspace has at most ${TYPES_MAX} object types.`);
    for (const [index, field] of fields.entries())
      checkRefType(`input.fields[${index}].refType`, field, [...present, type]);
    const id = newId(tx.clock);
    if (!(await insertType(tx, { id, type, label, isApiVisible })))
      throw conflict('OBJECT_TYPE_EXISTS', `A type ${type} exists or existed. Choose another name.`, {
        field: 'input.type',
      });
    await insertFields(tx, id, fields);
    return changed(tx, 'defineObjectType', null, await changeType(tx, id, {}));
  });
}

/**
 * Adds a field. If the type has records, a required field needs a default, which a job writes into all
 * records.
 *
 * @throws AppError OBJECT_TYPE_NOT_FOUND (404), OBJECT_FIELD_EXISTS, OBJECT_TYPE_ARCHIVED, DEFAULT_REQUIRED
 *   (409), VALIDATION_FAILED, SENSITIVE_FIELD (400)
 */
export async function addObjectField(
  ctx: Context,
  name: string,
  input: ObjectFieldInput,
): Promise<ObjectType> {
  const field = checkField('field', input);
  return ctx.transaction(async (tx) => {
    const before = await getEditable(tx, name);
    if (before.fields.length >= FIELDS_MAX) throw invalid('field', `is one more than ${FIELDS_MAX}`);
    if (field.refType)
      checkRefType(
        'field.refType',
        field,
        (await allTypes(tx)).map(({ type }) => type),
      );
    const mustFill = field.isRequired && (await hasRecords(tx, before.id));
    if (mustFill && field.defaultValue === null)
      throw conflict(
        'DEFAULT_REQUIRED',
        'The type has records: give the field a defaultValue, or add it with required: false.',
        { field: 'field.required' },
      );
    if (!(await insertFields(tx, before.id, [field])))
      throw conflict('OBJECT_FIELD_EXISTS', `The type has a field ${field.key}. Choose another key.`, {
        field: 'field.key',
      });
    if (mustFill) await publish(tx, objectFieldAdded, { objectTypeId: before.id, key: field.key });
    return changed(tx, 'addObjectField', before, await changeType(tx, before.id, {}));
  });
}

function checkRefType(path: string, { refType }: ObjectField, names: readonly string[]): void {
  if (refType !== null && !names.includes(refType))
    throw invalid(path, inputRule('UNKNOWN', 'must be the machine name of an object type'));
}

interface UpdateObjectField {
  readonly label?: string | null | undefined;
  readonly addOptions?: readonly string[] | null | undefined;
  readonly removeOptions?: readonly string[] | null | undefined;
}

/**
 * Changes a field's label and options; an option that any record has, live or test, cannot be removed.
 *
 * @throws AppError OBJECT_TYPE_NOT_FOUND (404), OPTION_IN_USE, OBJECT_TYPE_ARCHIVED (409), VALIDATION_FAILED,
 *   SENSITIVE_FIELD (400)
 */
export async function updateObjectField(
  ctx: Context,
  name: string,
  key: string,
  input: UpdateObjectField,
): Promise<ObjectType> {
  return ctx.transaction(async (tx) => {
    const before = await getEditable(tx, name);
    const field = before.fields.find((other) => other.key === key);
    if (!field) throw invalid('key', 'is not a field of this type', 'UNKNOWN_FIELD');
    const removed = input.removeOptions ?? [];
    const kept = field.options.filter((option) => !removed.includes(option));
    const options = checkOptions('input.options', field.type, [...kept, ...(input.addOptions ?? [])]);
    if (field.type === 'LIST' && field.options.length > 0 !== options.length > 0)
      throw invalid('input', 'cannot open a closed list or close an open one');
    const dropped = field.options.filter((option) => !options.includes(option));
    if (typeof field.defaultValue === 'string' && dropped.includes(field.defaultValue))
      throw invalid('input.removeOptions', 'must not name the default value');
    const used = await optionInUse(tx, before.id, key, dropped);
    if (used !== null)
      throw conflict('OPTION_IN_USE', `Records have the option ${used}. Change them first.`, {
        field: 'input.removeOptions',
      });
    const label = input.label ? checkLabel('input.label', input.label) : field.label;
    await changeField(tx, before.id, { key, label, options });
    return changed(tx, 'updateObjectField', before, await changeType(tx, before.id, {}));
  });
}

/**
 * Publishes a draft, so that it accepts records. Has no effect on a published type.
 *
 * @throws AppError OBJECT_TYPE_NOT_FOUND (404), OBJECT_TYPE_ARCHIVED (409)
 */
export const publishObjectType = (ctx: Context, name: string): Promise<ObjectType> =>
  move(ctx, name, 'publishObjectType', 'PUBLISHED');

/**
 * Changes a published type back to a draft.
 *
 * @throws AppError OBJECT_TYPE_NOT_FOUND (404), OBJECT_TYPE_IN_USE, OBJECT_TYPE_ARCHIVED (409)
 */
export const unpublishObjectType = (ctx: Context, name: string): Promise<ObjectType> =>
  move(ctx, name, 'unpublishObjectType', 'DRAFT');

/**
 * Archives a type, which is final; its records are kept. Has no effect on an archived type.
 *
 * @throws AppError OBJECT_TYPE_NOT_FOUND (404)
 */
export const archiveObjectType = (ctx: Context, name: string): Promise<ObjectType> =>
  move(ctx, name, 'archiveObjectType', 'ARCHIVED');

function move(ctx: Context, name: string, action: string, status: ObjectTypeStatus): Promise<ObjectType> {
  return ctx.transaction(async (tx) => {
    const before = await lockDefinition(tx, name);
    if (before.status === status) return before;
    if (before.status === 'ARCHIVED') throw archived();
    if (status === 'DRAFT' && (await hasRecords(tx, before.id)))
      throw conflict('OBJECT_TYPE_IN_USE', 'The type has records: hide it or archive it instead.');
    return changed(tx, action, before, await changeType(tx, before.id, { status }));
  });
}

/**
 * Hides a type and its records, or shows them again; a repeated call has no effect.
 *
 * @throws AppError OBJECT_TYPE_NOT_FOUND (404)
 */
export async function setVisibility(ctx: Context, name: string, isApiVisible: boolean): Promise<ObjectType> {
  return ctx.transaction(async (tx) => {
    const before = await lockDefinition(tx, name);
    if (before.isApiVisible === isApiVisible) return before;
    const action = isApiVisible ? 'showObjectType' : 'hideObjectType';
    return changed(tx, action, before, await changeType(tx, before.id, { isApiVisible }));
  });
}

async function getEditable(tx: Context, name: string): Promise<ObjectType> {
  const type = await lockDefinition(tx, name);
  if (type.status === 'ARCHIVED') throw archived();
  return type;
}

const archived = () =>
  conflict('OBJECT_TYPE_ARCHIVED', 'The type is archived for good. Define another instead.');

/** Audits and publishes a change of a definition. */
async function changed(
  tx: Context,
  action: string,
  before: ObjectType | null,
  after: ObjectType,
): Promise<ObjectType> {
  await audit(tx, {
    action,
    resourceType: 'ObjectType',
    resourceId: after.id,
    before: before && { ...before },
    after: { ...after },
  });
  await publish(tx, objectTypeChanged, { objectTypeId: after.id, objectType: after.type });
  return after;
}
