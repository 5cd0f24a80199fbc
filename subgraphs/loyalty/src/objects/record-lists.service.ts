import { invalid, notFound } from '@loyalty/platform/base/errors';
import { lengthAtMost, notNull } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, page, pageRequest } from '@loyalty/platform/database/pages';
import type { RecordProfile } from '#generated/schema';
import { findRecordRows, memberRecordCount, memberRecords } from './member-records.store.ts';
import { type ObjectRecord, type RecordData, type RecordShape, recordById } from './object-records.store.ts';
import {
  getObjectType,
  type ObjectFieldType,
  type ObjectType,
  recordCount,
  referredType,
} from './object-types.service.ts';
import { readFilterValue } from './object-values.ts';
import { type RecordFilter, type RecordSort, recordsPage } from './record-lists.store.ts';

const SEARCH_LENGTH_MAX = 200;

/** A record with its type. */
export interface TypedRecord extends ObjectRecord {
  readonly type: ObjectType;
}

/** Returns a record as clients see it, with defaults that are not written into all records yet. */
export const typed = (type: ObjectType, record: ObjectRecord): TypedRecord => ({
  ...record,
  type,
  data: { ...defaultsOf(type), ...record.data },
});

export interface ListRecords extends PageArgs {
  readonly type: string;
  readonly filters?: Readonly<Record<string, unknown>> | null | undefined;
  readonly search?: string | null | undefined;
  readonly memberId?: string | null | undefined;
  readonly sortBy?: RecordSort | null | undefined;
}

/**
 * Returns records of a type; conditions are combined with AND. Without conditions the total is the stored
 * count of the type.
 *
 * @param args.filters - values by field key, as text or in the field's type
 * @throws AppError OBJECT_TYPE_NOT_FOUND (404), VALIDATION_FAILED, UNKNOWN_FIELD (400)
 * @remarks Source: v2 REST API, section 4 "Custom objects", GET /objects/{type}/records
 */
export async function listRecords(ctx: Context, args: ListRecords): Promise<Page<TypedRecord>> {
  const type = await getObjectType(ctx, args.type);
  const request = pageRequest(args);
  const filter = readFilter(type, args);
  const isWhole = !filter.member && filter.search === null && Object.keys(filter.values).length === 0;
  if (filter.member?.keys.length === 0) return page(request, [], async () => 0);
  const found = await recordsPage(ctx, request, filter, args.sortBy ?? 'CREATED_DESC');
  return {
    ...found,
    rows: found.rows.map((record) => typed(type, record)),
    total: isWhole ? () => recordCount(ctx, type.id) : found.total,
  };
}

/**
 * Returns one record.
 *
 * @throws AppError OBJECT_TYPE_NOT_FOUND, RECORD_NOT_FOUND (404): unknown, deleted or of another type
 * @remarks Source: v2 REST API, section 4 "Custom objects", GET /objects/{type}/records/{recordId}
 */
export async function getRecord(ctx: Context, typeName: string, id: string): Promise<TypedRecord> {
  const type = await getObjectType(ctx, typeName);
  const record = await ctx.load(recordById, id);
  if (record?.objectTypeId !== type.id) throw notFound('record', id);
  return typed(type, record);
}

function readFilter(type: ObjectType, { filters, search, memberId }: ListRecords): RecordFilter {
  const values = Object.entries(filters ?? {}).map(([key, value]) => {
    const field = type.fields.find((other) => other.key === key);
    if (!field) throw unknownFilter(type, key);
    if (value === null) throw invalid(`filters.${key}`, notNull);
    return [key, readFilterValue(`filters.${key}`, field, value)] as const;
  });
  const text = search?.trim() ?? '';
  if (text.length > SEARCH_LENGTH_MAX) throw invalid('search', lengthAtMost(SEARCH_LENGTH_MAX));
  return {
    objectTypeId: type.id,
    values: Object.fromEntries(values),
    search: text || null,
    member: memberId ? { id: memberId, keys: memberKeysOf(type) } : null,
  };
}

function unknownFilter(type: ObjectType, key: string) {
  const known = type.fields.map((field) => field.key).join(', ');
  const path = /^\w{1,63}$/.test(key) ? `filters.${key}` : 'filters';
  return invalid(path, `names a field that ${type.type} lacks; known are ${known}`, 'UNKNOWN_FIELD');
}

/**
 * Loads a record for an object that refers to it, even if its type is archived or hidden; null if there is
 * none.
 */
export async function referredRecord(ctx: Context, id: string): Promise<TypedRecord | null> {
  const record = await ctx.load(recordById, id);
  const type = record && (await referredType(ctx, record.objectTypeId));
  return record && type ? typed(type, record) : null;
}

const TEXTUAL: readonly ObjectFieldType[] = ['TEXT', 'ENUM', 'LIST', 'URL', 'EMAIL'];

/** Returns the fields that sorting and search use. */
export const shapeOf = ({ id, fields }: ObjectType): RecordShape => ({
  objectTypeId: id,
  titleKey: fields.find(({ type }) => type === 'TEXT')?.key ?? null,
  textKeys: fields.filter(({ type }) => TEXTUAL.includes(type)).map(({ key }) => key),
});

/** Returns the defaults of required fields. */
export const defaultsOf = ({ fields }: ObjectType): RecordData =>
  Object.fromEntries(
    fields
      .filter(({ isRequired, defaultValue }) => isRequired && defaultValue !== null)
      .map(({ key, defaultValue }) => [key, defaultValue]),
  );

/** Returns the fields that refer to members. */
const memberKeysOf = ({ fields }: ObjectType): readonly string[] =>
  fields.filter(({ type }) => type === 'MEMBER_REF').map(({ key }) => key);

const PAGE_SIZE_DEFAULT = 10;

/**
 * Returns records of a type that refer to a member, newest first. Batched by member.
 *
 * @throws AppError OBJECT_TYPE_NOT_FOUND (404), VALIDATION_FAILED for paging out of bounds
 */
export async function listMemberRecords(
  ctx: Context,
  memberId: string,
  args: PageArgs & { readonly type: string },
): Promise<Page<TypedRecord>> {
  const type = await getObjectType(ctx, args.type);
  const request = pageRequest(args, PAGE_SIZE_DEFAULT);
  const keys = memberKeysOf(type);
  if (keys.length === 0) return page(request, [], async () => 0);
  const list = { memberId, objectTypeId: type.id, keys };
  const records = await memberRecords(ctx, list, request);
  const found = records.map((record) => typed(type, record));
  return page(request, found, async () => (await ctx.load(memberRecordCount, JSON.stringify(list))) ?? 0);
}

/** Returns the data of records for segments, by the records' ids and by the members they refer to. */
export const recordProfiles = (
  ctx: Context,
  wanted: { readonly ids: readonly string[]; readonly memberIds: readonly string[] },
): Promise<RecordProfile[]> => findRecordRows(ctx, wanted);
