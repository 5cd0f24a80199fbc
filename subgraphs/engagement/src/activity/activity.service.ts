import { notFound } from '@loyalty/platform/base/errors';
import { mapIterator } from '@loyalty/platform/base/iterators';
import type { Context } from '@loyalty/platform/context';
import {
  encodeCursor,
  PAGE_SIZE_MAX,
  type Page,
  type PageArgs,
  page,
  pageRequest,
} from '@loyalty/platform/database/pages';
import { watchEvents, watchWorkspace } from '@loyalty/platform/subscriptions/watch-events';
import type { PublishedEvent } from '@loyalty/platform/work/events';
import type { ActivityKind } from '#generated/schema';
import { activityKinds, typesOf } from '../events/described-events.ts';
import { findMember } from '../peers.ts';
import {
  activityCountByMember,
  activityCountOf,
  activityPage,
  deleteActivity,
  insertActivity,
  memberActivityEvents,
} from './activity.store.ts';
import { type ActivityEntry, type ActivityEvent, entryOf } from './activity-entry.ts';

const PAGE_SIZE_MEMBER = 10;

type Kinds = readonly ActivityKind[] | null | undefined;

/** Arguments of a list of activity. */
export interface ActivityArgs extends PageArgs {
  readonly kinds?: Kinds;
}

/** Stores events of all workspaces as activity, in the transaction in which the relay passes them on. */
export const keepActivity = (tx: Context, events: readonly PublishedEvent[]): Promise<void> =>
  insertActivity(tx, events);

/**
 * Lists the activity of the workspace, newest first, within the retention of the history.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 */
export async function listActivity(
  ctx: Context,
  { kinds, ...paging }: ActivityArgs,
): Promise<Page<ActivityEntry>> {
  const request = pageRequest(paging);
  const types = typesOf(kinds);
  const found = await activityPage(ctx, request, types);
  return page(request, found.map(toEntry), () => activityCountOf(ctx, types));
}

/**
 * Lists the activity of a member, newest first. Batched by member.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 */
export async function listMemberActivity(
  ctx: Context,
  memberId: string,
  { kinds, ...paging }: ActivityArgs,
): Promise<Page<ActivityEntry>> {
  const request = pageRequest(paging, PAGE_SIZE_MEMBER);
  const owner = JSON.stringify({ memberId, types: typesOf(kinds) });
  const found = await memberActivityEvents(ctx, owner, request);
  return page(request, found.map(toEntry), async () => (await ctx.load(activityCountByMember, owner)) ?? 0);
}

/**
 * Watches the activity of a member. Entries of all processes arrive when they are committed.
 *
 * @throws AppError MEMBER_NOT_FOUND (404), PEER_UNAVAILABLE (503)
 * @returns entries until the subscription ends; fails with SLOW_CONSUMER (429) when more than 1,000 wait to
 * be read
 */
export async function watchMember(
  ctx: Context,
  memberId: string,
): Promise<AsyncIterableIterator<ActivityEntry>> {
  if (!(await findMember(ctx, memberId))) throw notFound('member', memberId);
  return mapIterator(watchEvents(ctx, 'member', memberId), {
    map: async (event) => (activityKinds.has(event.type) ? entryOf(event) : undefined),
  });
}

/**
 * Watches the activity of the workspace, as `watchMember` does. Only the first 100 events of each second are
 * sent. The next entry contains the number of omitted ones.
 *
 * @returns entries until the subscription ends; fails with SLOW_CONSUMER (429) when more than 1,000 wait to
 * be read
 */
export function watchActivity(ctx: Context, kinds: Kinds): AsyncIterableIterator<ActivityEntry> {
  const types = new Set(typesOf(kinds) ?? activityKinds.keys());
  return mapIterator(watchWorkspace(ctx, types), {
    map: async ({ leftOut, ...event }) => entryOf(event, leftOut),
  });
}

/** Deletes the activity of an erased member, except the entry of the erasure. */
export const eraseActivity = (ctx: Context, memberId: string): Promise<void> => deleteActivity(ctx, memberId);

const toEntry = (event: ActivityEvent): ActivityEntry => entryOf(event);

/** Returns all stored activity of a member, newest first, for an export. */
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
