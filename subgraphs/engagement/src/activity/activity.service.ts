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

/** Keeps events of all workspaces as activity, in the transaction in which they are passed on. */
export const keepActivity = (tx: Context, events: readonly PublishedEvent[]): Promise<void> =>
  insertActivity(tx, events);

/**
 * What happened in the workspace, newest first, for as long as the history is kept.
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
 * What happened to a member, newest first; parts of many members load together.
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
 * What happens to a member from now on, sent when it is committed, by any process.
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
 * What happens in the workspace from now on, as `watchMember` sends it. Of each second the first 100 events
 * are looked at; the next entry says how many were left out.
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

/** Deletes what happened to an erased member; that it was erased remains. */
export const forgetActivity = (ctx: Context, memberId: string): Promise<void> =>
  deleteActivity(ctx, memberId);

const toEntry = (event: ActivityEvent): ActivityEntry => entryOf(event);

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
