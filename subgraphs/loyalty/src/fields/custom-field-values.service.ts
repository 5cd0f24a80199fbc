import { isUuid } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { PAGE_SIZE_MAX, type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import {
  activeKeys,
  allFields,
  type CustomFieldValue,
  lockFields,
  valuesPage,
} from './custom-fields.store.ts';
import {
  type CheckedAttributes,
  checkCustomValues,
  FIELD_KEY,
  type FieldDefinition,
} from './custom-values.ts';

const PAGE_SIZE_DEFAULT = 50;

/**
 * Returns values of members in active fields, newest member first, then by key.
 *
 * @throws AppError VALIDATION_FAILED for paging out of bounds
 * @remarks Source: v2 REST API, section 4, GET /custom-fields/values
 */
export async function listCustomFieldValues(
  ctx: Context,
  args: PageArgs & {
    readonly memberId?: string | null | undefined;
    readonly key?: string | null | undefined;
  },
): Promise<Page<CustomFieldValue>> {
  const request = pageRequest(args, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX, isValueId);
  return valuesPage(ctx, request, { memberId: args.memberId ?? null, key: args.key ?? null });
}

/** A value has no id: its cursor is the member and the key. */
function isValueId(id: string): boolean {
  const [memberId = '', key = ''] = id.split(':');
  return isUuid(memberId) && FIELD_KEY.test(key);
}

/**
 * Checks attributes of a write against the definitions, and locks the definitions until the transaction ends.
 *
 * @param path - of the argument, for errors
 * @throws AppError UNKNOWN_CUSTOM_FIELD, VALIDATION_FAILED, CUSTOM_FIELD_ARCHIVED, SENSITIVE_VALUE (400)
 */
export async function checkAttributes(
  tx: Context,
  path: string,
  attributes: Readonly<Record<string, unknown>>,
): Promise<CheckedAttributes> {
  if (Object.keys(attributes).length === 0) return { set: {}, cleared: [] };
  return (await attributeCheck(tx))(path, attributes);
}

/** Like `checkAttributes`, for many writes of one transaction: the definitions are read once. */
export async function attributeCheck(
  tx: Context,
): Promise<(path: string, attributes: Readonly<Record<string, unknown>>) => CheckedAttributes> {
  await lockFields(tx, 'WRITER_OF_VALUES');
  const definitions = await allFields(tx);
  return (path, attributes) => checkCustomValues(path, definitions, attributes);
}

/**
 * Returns the definitions and locks them until the transaction ends: for writes of many members, whose
 * attributes `checkCustomValues` checks.
 */
export async function lockDefinitions(tx: Context): Promise<readonly FieldDefinition[]> {
  await lockFields(tx, 'WRITER_OF_VALUES');
  return allFields(tx);
}

/** Returns the keys of all fields, and of the active ones. */
export async function listFieldKeys(
  ctx: Context,
): Promise<{ readonly all: string[]; readonly active: ReadonlySet<string> }> {
  const fields = await allFields(ctx);
  const active = fields.filter(({ archivedAt }) => !archivedAt);
  return { all: fields.map(({ key }) => key), active: new Set(active.map(({ key }) => key)) };
}

/** Returns a member's attributes without those of archived fields. */
export async function visibleAttributes(
  ctx: Context,
  attributes: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  if (Object.keys(attributes).length === 0) return {};
  const keys = await ctx.load(activeKeys, ctx.scope.workspaceId);
  return Object.fromEntries(Object.entries(attributes).filter(([key]) => keys?.has(key)));
}
