import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, page, pageRequest } from '@loyalty/platform/loading/pages';
import { getObjectType } from '../object-types/object-types.service.ts';
import { memberRecordCount, memberRecords } from './member-records.store.ts';
import { type TypedRecord, typed } from './record-lists.service.ts';
import { memberKeysOf } from './record-shapes.ts';

const PAGE_SIZE_DEFAULT = 10;

/**
 * Records of a type that refer to a member, newest first; many members' are read together.
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
