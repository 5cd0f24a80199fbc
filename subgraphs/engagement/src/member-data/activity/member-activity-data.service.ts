import type { Context } from '@loyalty/platform/context';
import { encodeCursor, PAGE_SIZE_MAX } from '@loyalty/platform/loading/pages';
import type { ActivityKind } from '#generated/schema';
import { listMemberActivity } from './activity.service.ts';

/** Everything that is kept of what happened to a member, newest first, for an export. */
export async function memberActivityData(
  ctx: Context,
  memberId: string,
): Promise<{ id: string; kind: ActivityKind; occurredAt: Date }[]> {
  const all: { id: string; kind: ActivityKind; occurredAt: Date }[] = [];
  let after: string | null = null;
  do {
    const { rows, hasNextPage } = await listMemberActivity(ctx, memberId, { first: PAGE_SIZE_MAX, after });
    all.push(...rows.map(({ id, kind, occurredAt }) => ({ id, kind, occurredAt })));
    after = hasNextPage ? encodeCursor(rows.at(-1)!.id) : null;
  } while (after);
  return all;
}
