import { conflict, invalid, notFound } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { newId } from '@loyalty/platform/base/ids';
import { checkText } from '@loyalty/platform/base/input';
import { distinct, from1To } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import { audit } from '@loyalty/platform/identity/audit';
import {
  allFields,
  type CustomField,
  changeField,
  fieldsPage,
  findField,
  insertField,
  lockFields,
  optionInUse,
} from './custom-fields.store.ts';
import { type CustomFieldType, FIELD_KEY } from './custom-values.ts';
import { asksForSensitive, looksSensitive } from './sensitive-data.ts';

const OPTIONS_MAX = 200;
const OPTION_LENGTH_MAX = 100;
/** Names that `{{member.<name>}}` has already. */
const RESERVED = new Set(
  [
    'id email name full_name first_name last_name phone birth_on birth_date external_id program_id',
    'locale status tier current_tier current_tier_id points points_balance points_earned home_store',
    'store_id tags workspace member custom_attributes created_at updated_at last_activity_at',
    'time_zone data unsubscribe_url preferences_url',
  ].flatMap((line) => line.split(' ')),
);

/**
 * Returns fields of the workspace, newest first: the active or the archived ones.
 *
 * @throws AppError VALIDATION_FAILED for paging out of bounds
 * @remarks Source: v2 REST API, section 4, GET /custom-fields
 */
export async function listCustomFields(
  ctx: Context,
  args: PageArgs & { readonly isArchived?: boolean | null | undefined },
): Promise<Page<CustomField>> {
  return fieldsPage(ctx, pageRequest(args), args.isArchived ?? false);
}

/** Returns the active fields of the workspace, oldest first. */
export async function activeCustomFields(ctx: Context): Promise<readonly CustomField[]> {
  return (await allFields(ctx)).filter(({ archivedAt }) => archivedAt === null);
}

/** Returns one field by its key, active or archived; null if the workspace never defined it. */
export async function findCustomField(ctx: Context, key: string): Promise<CustomField | null> {
  return findField(ctx, key);
}

export interface DefineCustomField {
  readonly key: string;
  readonly label: string;
  readonly type: CustomFieldType;
  readonly options?: readonly string[] | null | undefined;
}

/**
 * Defines a field; its key and type can never be changed.
 *
 * @throws AppError VALIDATION_FAILED, SENSITIVE_FIELD (400), CUSTOM_FIELD_EXISTS (409)
 * @remarks Source: v2 REST API, section 2 "Custom member field definition"
 */
export async function defineCustomField(ctx: Context, input: DefineCustomField): Promise<CustomField> {
  const { key, type } = input;
  const { label, options } = gathered((check) => {
    check(() => checkFieldKey(key));
    return {
      label: check(() => checkLabel(input.label)),
      options: check(() => checkOptions(type, input.options ?? [])),
    };
  });
  return ctx.transaction(async (tx) => {
    const field = await insertField(tx, { id: newId(tx.clock), key, label, type, options });
    if (!field)
      throw conflict('CUSTOM_FIELD_EXISTS', `A field ${key} exists or existed. Choose another key.`, {
        field: 'input.key',
      });
    await audit(tx, {
      action: 'defineCustomField',
      resourceType: 'CustomField',
      resourceId: field.id,
      after: { ...field },
    });
    return field;
  });
}

interface UpdateCustomField {
  readonly label?: string | null | undefined;
  readonly addOptions?: readonly string[] | null | undefined;
  readonly removeOptions?: readonly string[] | null | undefined;
}

/**
 * Changes the label and the options; an option that any member has, live or test, cannot be removed.
 *
 * @throws AppError CUSTOM_FIELD_NOT_FOUND (404), OPTION_IN_USE (409), VALIDATION_FAILED, SENSITIVE_FIELD
 *   (400)
 */
export async function updateCustomField(
  ctx: Context,
  key: string,
  input: UpdateCustomField,
): Promise<CustomField> {
  return ctx.transaction(async (tx) => {
    const before = await lockField(tx, key);
    const removed = input.removeOptions ?? [];
    const kept = before.options.filter((option) => !removed.includes(option));
    const options = checkOptions(before.type, [...kept, ...(input.addOptions ?? [])]);
    const dropped = before.options.filter((option) => !options.includes(option));
    const used = dropped.length > 0 ? await optionInUse(tx, before, dropped) : null;
    if (used !== null) {
      throw conflict('OPTION_IN_USE', `Members have the option ${used}. Change their values first.`, {
        field: 'input.removeOptions',
      });
    }
    const label = input.label ? checkLabel(input.label) : before.label;
    const after = await changeField(tx, before.id, { label, options });
    const change = { before: { ...before }, after: { ...after } };
    await audit(tx, {
      action: 'updateCustomField',
      resourceType: 'CustomField',
      resourceId: before.id,
      ...change,
    });
    return after;
  });
}

/**
 * Hides a field and refuses writes to it; values are kept. Has no effect on an archived field.
 *
 * @throws AppError CUSTOM_FIELD_NOT_FOUND (404)
 */
export async function archiveCustomField(ctx: Context, key: string): Promise<CustomField> {
  return ctx.transaction(async (tx) => {
    const before = await lockField(tx, key);
    if (before.archivedAt) return before;
    const after = await changeField(tx, before.id, { archivedAt: tx.clock.now() });
    const change = { before: { archivedAt: null }, after: { archivedAt: after.archivedAt } };
    await audit(tx, {
      action: 'archiveCustomField',
      resourceType: 'CustomField',
      resourceId: before.id,
      ...change,
    });
    return after;
  });
}

/**
 * Returns the field and takes the exclusive lock: nobody writes values or changes definitions until the
 * transaction ends.
 */
async function lockField(tx: Context, key: string): Promise<CustomField> {
  await lockFields(tx, 'WRITER_OF_FIELDS');
  const field = await findField(tx, key);
  if (!field) throw notFound('custom field', key);
  return field;
}

function checkFieldKey(key: string): void {
  if (!FIELD_KEY.test(key)) {
    throw invalid(
      'input.key',
      'must be a lower-case letter, then up to 62 lower-case letters, digits and underscores',
    );
  }
  if (RESERVED.has(key)) throw invalid('input.key', 'is a name that members already have; choose another');
  refuseSensitive('input.key', key);
}

function checkLabel(text: string): string {
  const label = checkText('input.label', text, 100);
  refuseSensitive('input.label', label);
  return label;
}

function refuseSensitive(path: string, name: string): void {
  if (!asksForSensitive(name)) return;
  throw invalid(
    path,
    'asks for sensitive personal data, which members must not be asked for here',
    'SENSITIVE_FIELD',
  );
}

function checkOptions(type: CustomFieldType, given: readonly string[]): string[] {
  const options = given.map((option) => checkText('input.options', option, OPTION_LENGTH_MAX));
  if (type !== 'ENUM' && type !== 'LIST') {
    if (options.length > 0) throw invalid('input.options', 'belong to ENUM and LIST fields only');
    return [];
  }
  if (options.length < 1 || options.length > OPTIONS_MAX)
    throw invalid('input.options', from1To(OPTIONS_MAX, 'values'));
  if (new Set(options).size !== options.length) throw invalid('input.options', distinct);
  if (options.some((option) => looksSensitive(option) || !option.isWellFormed())) {
    throw invalid('input.options', 'must be plain text without card or social security numbers');
  }
  return options;
}
