import { actorId } from '@loyalty/platform/base/caller';
import { AppError, conflict, invalid, notFound } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import { inputRule } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, page, pageRequest } from '@loyalty/platform/database/pages';
import { guardWrite } from '@loyalty/platform/identity/write-guard';
import { publish } from '@loyalty/platform/work/events';
import { recordActivity } from '../member-status/member-activity.service.ts';
import { getMember, type Member, OPEN_STATUSES } from '../members/members.service.ts';
import { findStore } from '../stores.service.ts';
import { dayIn, workspaceTimeZone } from '../workspace.service.ts';
import { storeVisited } from './visits.events.ts';
import {
  findVisit,
  insertVisit,
  memberVisits,
  type StoreVisit,
  storeVisitsPage,
  summaryByMember,
  type VisitSource,
  type VisitSummary,
} from './visits.store.ts';

/** A visit, and whether it is new. */
interface RecordedVisit {
  readonly visit: StoreVisit;
  readonly isNew: boolean;
}

const PAGE_SIZE_DEFAULT = 10;
/** Errors that a retry cannot solve: the visit is ignored. */
const IGNORED_ERRORS = ['MEMBER_NOT_FOUND', 'MEMBER_CLOSED', 'STORE_NOT_FOUND', 'STORE_ARCHIVED'];

/**
 * Records that a member is in a store: once per store and calendar day there, from any source. The first
 * visit of the day is an activity of the member.
 *
 * @throws AppError STORE_NOT_FOUND, MEMBER_NOT_FOUND (404), STORE_ARCHIVED, MEMBER_CLOSED (409),
 *   PEER_UNAVAILABLE (503), RATE_LIMITED (429), GUARD_UNAVAILABLE (503)
 * @remarks Source: requirements L-EVT-07
 */
export async function recordStoreVisit(
  ctx: Context,
  memberId: string,
  storeId: string,
): Promise<RecordedVisit> {
  await guardWrite(ctx, 'record');
  return saveVisit(ctx, { memberId, storeId, source: 'API', at: ctx.clock.now() });
}

/**
 * Records that the signed-in member is in a store, like `recordStoreVisit`.
 *
 * @throws AppError like `recordStoreVisit`
 * @remarks Source: requirements L-EVT-07
 */
export async function checkIn(ctx: Context, storeId: string): Promise<RecordedVisit> {
  await guardWrite(ctx, 'record');
  return saveVisit(ctx, { memberId: actorId(ctx.caller)!, storeId, source: 'QR', at: ctx.clock.now() });
}

/**
 * Records a visit that was observed in an event; visits of deleted members or stores are ignored.
 *
 * @param observed.observedAt - ISO 8601
 * @throws AppError PEER_UNAVAILABLE (503)
 * @remarks Source: requirements L-CPN-20
 */
export async function recordObservedVisit(
  ctx: Context,
  observed: { memberId: string; storeId: string; source: VisitSource; observedAt: string },
): Promise<void> {
  const { memberId, storeId, source, observedAt } = observed;
  try {
    await saveVisit(ctx, { memberId, storeId, source, at: new Date(observedAt) });
  } catch (error) {
    if (!(error instanceof AppError) || !IGNORED_ERRORS.includes(error.code)) throw error;
  }
}

async function saveVisit(
  ctx: Context,
  seen: { memberId: string; storeId: string; source: VisitSource; at: Date },
): Promise<RecordedVisit> {
  const { memberId, storeId, source, at: visitedAt } = seen;
  const visitedOn = await dayOfVisit(ctx, storeId, visitedAt);
  return ctx.transaction(async (tx) => {
    const id = newId(tx.clock);
    const visit = await insertVisit(
      tx,
      { id, memberId, storeId, visitedOn, visitedAt, source },
      OPEN_STATUSES,
    );
    if (!visit) return { visit: await knownVisit(tx, memberId, storeId, visitedOn), isNew: false };
    await publish(tx, storeVisited, { memberId, storeId, visitId: id, source });
    await recordActivity(tx, memberId, visitedAt);
    return { visit, isNew: true };
  });
}

/**
 * Returns the calendar day at the store; must be called before a transaction begins, because it asks
 * commerce.
 */
async function dayOfVisit(ctx: Context, storeId: string, at: Date): Promise<string> {
  const store = await findStore(ctx, storeId);
  if (!store) throw notFound('store', storeId);
  if (store.status === 'ARCHIVED')
    throw conflict('STORE_ARCHIVED', 'This store is archived. Open it again before members visit it.');
  return dayIn(store.timeZone ?? (await workspaceTimeZone(ctx)), at);
}

/** Returns the visit that was recorded before; if there is none, the member's status did not allow one. */
async function knownVisit(
  tx: Context,
  memberId: string,
  storeId: string,
  visitedOn: string,
): Promise<StoreVisit> {
  // Not found for unknown and erased members; for others the erasure is pending.
  await getMember(tx, memberId);
  const known = await findVisit(tx, memberId, storeId, visitedOn);
  if (known) return known;
  throw conflict('MEMBER_CLOSED', "This member's erasure is pending. Cancel it before the member visits.");
}

/**
 * Returns visits of a store, newest first.
 *
 * @param args.from - YYYY-MM-DD in the store's time zone, like `to`; both days count
 * @throws AppError VALIDATION_FAILED for paging out of bounds and days in the wrong order
 */
export async function listStoreVisits(
  ctx: Context,
  args: PageArgs & {
    readonly storeId: string;
    readonly from?: string | null | undefined;
    readonly to?: string | null | undefined;
  },
): Promise<Page<StoreVisit>> {
  const { storeId, from = null, to = null } = args;
  if (from && to && from > to) throw invalid('to', inputRule('END_BEFORE_START', 'must not be before from'));
  return storeVisitsPage(ctx, pageRequest(args), { storeId, from, to });
}

/**
 * Returns visits of a member, newest first. Batched by member.
 *
 * @throws AppError VALIDATION_FAILED for paging out of bounds
 */
export async function listMemberVisits(
  ctx: Context,
  member: Member,
  args: PageArgs,
): Promise<Page<StoreVisit>> {
  const request = pageRequest(args, PAGE_SIZE_DEFAULT);
  const rows = await memberVisits(ctx, member.id, request);
  return page(request, rows, async () => (await summarizeVisits(ctx, member.id)).count);
}

/** Returns the number of a member's visits and the time of the last one. */
export const summarizeVisits = async (ctx: Context, memberId: string): Promise<VisitSummary> =>
  (await ctx.load(summaryByMember, memberId)) ?? { count: 0, lastAt: null };
