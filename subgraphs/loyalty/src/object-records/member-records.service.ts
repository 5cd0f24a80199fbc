import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, page, pageRequest } from '@loyalty/platform/pages';
import { getObjectType } from '../object-types/object-types.service.ts';
import { memberRecordCountByKey, memberRecordsByKey, wantedKey } from './member-records.store.ts';
import { type TypedRecord, typed } from './record-lists.service.ts';
import { memberKeysOf } from './record-shapes.ts';

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
  const request = pageRequest({ first: args.first ?? 10, after: args.after });
  const keys = memberKeysOf(type);
  if (keys.length === 0) return page(request, [], async () => 0);
  const key = wantedKey({
    memberId,
    objectTypeId: type.id,
    keys,
    limit: request.size + 1,
    afterId: request.afterId,
  });
  const records = (await ctx.load(memberRecordsByKey, key)) ?? [];
  const found = records.map((record) => typed(type, record));
  return page(request, found, async () => (await ctx.load(memberRecordCountByKey, key)) ?? 0);
}
