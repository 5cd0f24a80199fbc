import { AppError } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import type { ConditionCatalog } from '#generated/schema';
import {
  allTypes,
  findType,
  lockTypes,
  type ObjectField,
  type ObjectFieldType,
  type ObjectType,
  type ObjectTypeStatus,
  readCatalog,
  typeById,
  typeByName,
} from './object-types.store.ts';
import { anyRecord, countRecord, optionHeld, recordCountByType } from './record-counts.store.ts';

export type { ObjectField, ObjectFieldType, ObjectType };

const isServed = ({ status, isApiVisible }: ObjectType): boolean => status === 'PUBLISHED' && isApiVisible;

/** The same error for unknown, draft and hidden types and those of other workspaces: it reveals nothing. */
const unknownType = (): AppError =>
  new AppError(
    'NOT_FOUND',
    'OBJECT_TYPE_NOT_FOUND',
    'There is no object type of this name, or it is not published. GET /objects lists those there are.',
  );

/**
 * Published and visible types, by name.
 *
 * @remarks Source: v2 REST API, section 4 "Custom objects", GET /objects
 */
export async function listObjectTypes(ctx: Context): Promise<ObjectType[]> {
  return (await allTypes(ctx)).filter(isServed);
}

/**
 * A published, visible type.
 *
 * @throws AppError OBJECT_TYPE_NOT_FOUND (404): unknown, draft, hidden, archived or of another workspace
 * @remarks Source: v2 REST API, section 4 "Custom objects", GET /objects/{type}
 */
export async function getObjectType(ctx: Context, name: string): Promise<ObjectType> {
  const type = await ctx.load(typeByName, name);
  if (!type || !isServed(type)) throw unknownType();
  return type;
}

/**
 * A published, visible type, locked until the transaction ends.
 *
 * @throws AppError OBJECT_TYPE_NOT_FOUND (404)
 */
export async function lockObjectType(tx: Context, name: string): Promise<ObjectType> {
  await lockTypes(tx, 'WRITER_OF_RECORDS');
  const type = await findType(tx, name);
  if (!type || !isServed(type)) throw unknownType();
  return type;
}

/** Every type for the editor, drafts, hidden and archived ones too, by name. */
export async function listDefinitions(
  ctx: Context,
  status: ObjectTypeStatus | null | undefined,
): Promise<ObjectType[]> {
  const types = await allTypes(ctx);
  return types.filter((type) => !status || type.status === status);
}

/**
 * Any type of the workspace, locked: nobody writes records or changes definitions until the transaction ends.
 *
 * @throws AppError OBJECT_TYPE_NOT_FOUND (404)
 */
export async function getDefinitionAlone(tx: Context, name: string): Promise<ObjectType> {
  await lockTypes(tx, 'WRITER_OF_TYPES');
  const type = await findType(tx, name);
  if (!type) throw unknownType();
  return type;
}

/** A type by its id, whatever its status; null when the workspace has none. */
export const referredType = (ctx: Context, id: string): Promise<ObjectType | null> => ctx.load(typeById, id);

export { countRecord };

/** Records of a type in the caller's mode, deleted ones left out; exact. */
export const recordCount = async (ctx: Context, objectTypeId: string): Promise<number> =>
  (await ctx.load(recordCountByType, objectTypeId)) ?? 0;

/** Was a record of the type ever written, live or test? Deleted ones count: they can be restored. */
export const hasRecords = (ctx: Context, objectTypeId: string): Promise<boolean> =>
  anyRecord(ctx, objectTypeId);

/** The first of the options that any record has in the field, live or test; null when none does. */
export const optionInUse = (
  ctx: Context,
  objectTypeId: string,
  key: string,
  options: readonly string[],
): Promise<string | null> =>
  options.length > 0 ? optionHeld(ctx, objectTypeId, key, options) : Promise.resolve(null);

/** What the workspace has defined that conditions of segments may name: one statement. */
export const conditionCatalog = (ctx: Context): Promise<ConditionCatalog> => readCatalog(ctx);
