import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import { type ErrorCategory, errorReasons } from '@loyalty/platform/base/error-reasons';
import { httpStatusOf, invalid } from '@loyalty/platform/base/errors';
import { isUuid } from '@loyalty/platform/base/ids';
import { atMost, uuid } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { midnight } from '@loyalty/platform/database/day-partitions';
import { dayRange, everyDay, instantsOf } from '@loyalty/platform/database/day-range';
import { type Page, type PageArgs, page, pageRequest } from '@loyalty/platform/database/pages';
import { actorOf, callsChannel } from './call-log.events.ts';
import {
  actorCalls,
  type CallDay,
  callsByDay,
  callsPage,
  countCalls,
  createPartition,
  dropPartitionsBefore,
  insertCalls,
  isPartitionMissing,
  type LoggedCall,
  type LoggedCaller,
  type LoggedOutcome,
  type RecordedCall,
} from './call-log.store.ts';

export type { LoggedCall };

const CALLS_MAX = 5_000;
const RECENT_CALLS = 20;
const EVERYTHING = { callerKind: null, outcomes: null, requestId: null, from: null, to: null };
/** Days whose partition is created in advance. */
const DAYS_AHEAD = 2;

/**
 * Returns calls of the workspace's credentials, newest first.
 *
 * @param args.apiKeyId - only calls with this key
 * @param args.from - YYYY-MM-DD, as `to`; both days count
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds and days in the wrong order
 * @remarks Source: v2 REST API, section 5.5
 */
export async function listCalls(
  ctx: Context,
  args: PageArgs & {
    readonly apiKeyId?: string | null | undefined;
    readonly callerKind?: LoggedCaller | null | undefined;
    readonly outcomes?: readonly LoggedOutcome[] | null | undefined;
    readonly requestId?: string | null | undefined;
    readonly from?: string | null | undefined;
    readonly to?: string | null | undefined;
  },
): Promise<Page<LoggedCall>> {
  const { apiKeyId, callerKind = null, outcomes = null, requestId = null, from, to } = args;
  const days = await instantsOf(ctx, 'from', from, to);
  const actor = apiKeyId ? actorOf(apiKeyId) : null;
  return callsPage(ctx, pageRequest(args), { actor, callerKind, outcomes, requestId, ...days });
}

/**
 * Returns the latest calls of a key. Batched: one statement for many keys.
 *
 * @throws AppError VALIDATION_FAILED (400) for a page out of bounds
 */
export async function recentCalls(ctx: Context, apiKeyId: string, args: PageArgs): Promise<Page<LoggedCall>> {
  const request = pageRequest(args, RECENT_CALLS);
  const actor = actorOf(apiKeyId);
  const rows = await actorCalls(ctx, actor, request);
  return page(request, rows, () => countCalls(ctx, { ...EVERYTHING, actor }));
}

/**
 * Records calls of any workspace that gateways received, and the time of each key's last use.
 *
 * @returns the number of written calls
 * @throws AppError VALIDATION_FAILED (400) for more than 5,000 calls
 */
export async function recordCalls(
  ctx: Context,
  calls: readonly (Omit<RecordedCall, 'mode' | 'reason'> & {
    readonly mode?: RecordedCall['mode'] | null | undefined;
    readonly reason?: string | null | undefined;
  })[],
): Promise<number> {
  if (calls.length > CALLS_MAX) throw invalid('calls', atMost(CALLS_MAX));
  const stray = calls.findIndex(({ workspaceId }) => !isUuid(workspaceId));
  if (stray >= 0) throw invalid(`calls[${stray}].workspaceId`, uuid);
  if (calls.length === 0) return 0;
  const recorded = calls.map((call) => ({ ...call, mode: call.mode ?? 'LIVE', reason: call.reason ?? null }));
  const written = await insertInPartition(ctx, recorded);
  const workspaces = new Set(recorded.map(({ workspaceId }) => workspaceId));
  const { live, log } = ctx.services;
  // Watchers read the calls then. If publishing fails, the calls are stored anyway.
  const publish = (id: string) => live.publish(callsChannel(id), id);
  await Promise.all([...workspaces].map(publish)).catch((error: unknown) =>
    log.warn({ err: error }, 'written calls could not be announced'),
  );
  return written;
}

async function insertInPartition(ctx: Context, calls: readonly RecordedCall[]): Promise<number> {
  try {
    return await insertCalls(ctx, calls);
  } catch (error) {
    if (!isPartitionMissing(error)) throw error;
    // No worker has run for days, so nobody has created the partition.
    await createPartition(ctx, midnight(ctx.clock.now()));
    return insertCalls(ctx, calls);
  }
}

/** Creates the partitions of the next days, and drops those older than CALL_LOG_DAYS. */
export async function rotateCallLog(ctx: Context): Promise<void> {
  const today = midnight(ctx.clock.now());
  for (let day = 0; day <= DAYS_AHEAD; day += 1) await createPartition(ctx, addMs(today, day * DAY_MS));
  await dropPartitionsBefore(ctx, addMs(today, -ctx.services.config.CALL_LOG_DAYS * DAY_MS));
}

/**
 * Returns calls by day of the workspace's time zone.
 *
 * @param wanted.from - YYYY-MM-DD, as `to`; both days count
 * @throws AppError VALIDATION_FAILED (400) naming `from` or `to`
 */
export async function callStatistics(
  ctx: Context,
  wanted: { readonly from?: string | null | undefined; readonly to?: string | null | undefined },
): Promise<CallDay[]> {
  const range = await dayRange(ctx, wanted);
  return everyDay(range, await callsByDay(ctx, range), { calls: 0, refused: 0, failed: 0 });
}

/** Returns every reason, by category; its description is that of the enum. */
export const listErrorReasons = () =>
  (Object.keys(errorReasons) as ErrorCategory[]).flatMap((category) =>
    errorReasons[category].map((reason) => ({
      reason,
      category,
      httpStatus: httpStatusOf({ category, code: reason }),
      page: `/docs/errors/${reason}`,
    })),
  );
