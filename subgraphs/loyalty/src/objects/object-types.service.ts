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

/**
 * The error is the same for unknown, draft and hidden types and those of other workspaces, so that it reveals
 * nothing.
 */
const unknownType = (): AppError =>
  new AppError(
    'NOT_FOUND',
    'OBJECT_TYPE_NOT_FOUND',
    'There is no object type of this name, or it is not published. GET /objects lists those there are.',
  );

/**
 * Returns published and visible types, sorted by name.
 *
 * @remarks Source: v2 REST API, section 4 "Custom objects", GET /objects
 */
export async function listObjectTypes(ctx: Context): Promise<ObjectType[]> {
  return (await allTypes(ctx)).filter(isServed);
}

/**
 * Returns a published, visible type.
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
 * Returns a published, visible type and locks it until the transaction ends.
 *
 * @throws AppError OBJECT_TYPE_NOT_FOUND (404)
 */
export async function lockObjectType(tx: Context, name: string): Promise<ObjectType> {
  await lockTypes(tx, 'WRITER_OF_RECORDS');
  const type = await findType(tx, name);
  if (!type || !isServed(type)) throw unknownType();
  return type;
}

/** Returns every type for the editor, including drafts, hidden and archived ones, sorted by name. */
export async function listDefinitions(
  ctx: Context,
  status: ObjectTypeStatus | null | undefined,
): Promise<ObjectType[]> {
  const types = await allTypes(ctx);
  return types.filter((type) => !status || type.status === status);
}

/**
 * Returns any type of the workspace and takes the exclusive lock: nobody writes records or changes
 * definitions until the transaction ends.
 *
 * @throws AppError OBJECT_TYPE_NOT_FOUND (404)
 */
export async function lockDefinition(tx: Context, name: string): Promise<ObjectType> {
  await lockTypes(tx, 'WRITER_OF_TYPES');
  const type = await findType(tx, name);
  if (!type) throw unknownType();
  return type;
}

/** Loads a type of any status by its id; null if the workspace has none. */
export const referredType = (ctx: Context, id: string): Promise<ObjectType | null> => ctx.load(typeById, id);

export { countRecord };

/** Returns the exact number of a type's records in the caller's mode, without deleted ones. */
export const recordCount = async (ctx: Context, objectTypeId: string): Promise<number> =>
  (await ctx.load(recordCountByType, objectTypeId)) ?? 0;

/**
 * Returns whether a record of the type was ever written, live or test. Deleted ones count: they can be
 * restored.
 */
export const hasRecords = (ctx: Context, objectTypeId: string): Promise<boolean> =>
  anyRecord(ctx, objectTypeId);

/** Returns the first of the options that any record has in the field, live or test; null if none does. */
export const optionInUse = (
  ctx: Context,
  objectTypeId: string,
  key: string,
  options: readonly string[],
): Promise<string | null> =>
  options.length > 0 ? optionHeld(ctx, objectTypeId, key, options) : Promise.resolve(null);

/** Returns the workspace's definitions that conditions of segments may use: one statement. */
export const conditionCatalog = (ctx: Context): Promise<ConditionCatalog> => readCatalog(ctx);
