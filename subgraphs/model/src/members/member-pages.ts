import { invalid } from '@loyalty/platform/base/errors';
import { isUuid } from '@loyalty/platform/base/ids';
import { between } from '@loyalty/platform/base/input-rules';

const SIZE_DEFAULT = 100;
const SIZE_MAX = 1_000;

export interface MemberPageArgs {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

/** A page of a list; `nextCursor` is null after its last row. */
export interface NextPage<T> {
  readonly rows: readonly T[];
  readonly nextCursor: string | null;
}

/**
 * Returns one page of a list, sorted by member. A cursor belongs to its list: with another filter it is
 * refused.
 *
 * @param list - the identity of the list that the cursor belongs to: its name and filters
 * @throws AppError VALIDATION_FAILED (400) naming first or after
 * @remarks Source: model API, section 4 "Bulk jobs"; requirement M-BLK-23
 */
export async function memberPage<T extends { readonly memberId: string }>(
  { first, after }: MemberPageArgs,
  list: string,
  read: (page: { readonly afterMemberId: string | null; readonly limit: number }) => Promise<readonly T[]>,
): Promise<NextPage<T>> {
  const size = first ?? SIZE_DEFAULT;
  if (size < 1 || size > SIZE_MAX) throw invalid('first', between(1, SIZE_MAX));
  const found = await read({ afterMemberId: after ? memberIn(after, list) : null, limit: size + 1 });
  const rows = found.slice(0, size);
  const isCut = found.length > size;
  return { rows, nextCursor: isCut ? encoded(`${rows.at(-1)!.memberId} ${list}`) : null };
}

const encoded = (text: string): string => Buffer.from(text).toString('base64url');

function memberIn(cursor: string, list: string): string {
  const [id = '', of] = Buffer.from(cursor, 'base64url').toString().split(' ');
  if (isUuid(id) && of === list) return id;
  throw invalid('after', 'must be the nextCursor of an earlier page, with the same filters');
}
