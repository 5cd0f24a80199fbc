import type { Database } from '@loyalty/prisma/client';
import { databaseFault } from '@loyalty/prisma/database-error';
import { ASYNCHRONOUS_COMMIT } from '../base/asynchronous-commit.ts';
import { MINUTE_MS } from '../base/clock.ts';
import { type AppError, databaseErrors, invalid, rateLimited, unavailable } from '../base/errors.ts';
import { inputRule } from '../base/input-rules.ts';
import type { Context } from '../context.ts';
import { arraysOf } from '../database/array-parameters.ts';

/** Kinds of guarded writes, and the caller's limit per minute for each. */
const guards = { value: 'valueWritesPerMinute', record: 'recordWritesPerMinute' } as const;

/** A fixed window in which the acts of one subject are counted. */
export interface GuardWindow {
  readonly workspaceId: string;
  /** The counted subject: an actor, or a keyed hash of an address. */
  readonly subject: string;
  readonly guard: string;
  readonly windowMs: number;
  /** Maximum of acts per window. */
  readonly limit: number;
}

/**
 * Counts one act in its window. The count is stored in PostgreSQL, outside the caller's transaction. It fails
 * closed: if the act cannot be counted, it must not be done.
 *
 * @throws AppError RATE_LIMITED (429, with Retry-After), GUARD_UNAVAILABLE (503); ROW_BUSY (409), OVERLOADED
 *   (503) like every statement
 */
export async function guardWindow(ctx: Context, window: GuardWindow): Promise<void> {
  if ((await countInWindow(ctx, window, 1)) === 0) throw windowRefusal(ctx, window);
}

/**
 * Counts several acts in their window at once, like `guardWindow` for one.
 *
 * @returns the number of allowed acts; these are the first ones
 * @throws AppError GUARD_UNAVAILABLE (503)
 */
export async function countInWindow(ctx: Context, window: GuardWindow, acts: number): Promise<number> {
  const used = await count(ctx, window, acts);
  return Math.max(0, Math.min(acts, window.limit - (used - acts)));
}

/** Subtracts counted acts from the current windows, down to zero. */
export async function uncount(
  ctx: Context,
  windows: readonly (GuardWindow & { readonly acts: number })[],
): Promise<void> {
  await ctx.services.database.outsideTransaction.query(
    `UPDATE platform.write_guards AS g SET used = greatest(g.used - w.acts, 0)
       FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::int[])
              AS w(workspace_id, actor, guard, window_start, acts)
      WHERE (g.workspace_id, g.actor, g.guard, g.window_start)
          = (w.workspace_id, w.actor, w.guard, w.window_start)`,
    [
      ...arraysOf(windows, 'workspaceId', 'subject', 'guard'),
      windows.map((window) => new Date(startOf(ctx, window))),
      windows.map(({ acts }) => acts),
    ],
  );
}

/** The error for an act beyond the limit of its window: 429 with Retry-After. */
export function windowRefusal(ctx: Context, window: GuardWindow): AppError {
  const { limit, windowMs } = window;
  const seconds = Math.ceil((startOf(ctx, window) + windowMs - ctx.clock.now().getTime()) / 1_000);
  return rateLimited(`More than ${limit} calls of this kind. Wait ${seconds} s and try again.`, seconds);
}

/** Returns the start of the current window in ms since 1970. */
function startOf(ctx: Context, { windowMs }: GuardWindow): number {
  const now = ctx.clock.now().getTime();
  return now - (now % windowMs);
}

/** Counts the acts and returns the total of the window. */
async function count(ctx: Context, window: GuardWindow, acts: number): Promise<number> {
  try {
    return await countTogether(ctx.services.database, { ...window, start: startOf(ctx, window) }, acts);
  } catch (error) {
    // A busy row or connection pool is no failure of the guard.
    const fault = databaseFault(error);
    if (fault === 'LOCKED' || fault === 'OVERLOADED') throw databaseErrors[fault]();
    ctx.log.error({ err: error }, 'guard unavailable');
    throw unavailable(
      'GUARD_UNAVAILABLE',
      'The limit of writes cannot be checked right now; nothing was done. Try again.',
    );
  }
}

type CurrentWindow = GuardWindow & { readonly start: number };

/**
 * Acts that wait while a statement counts earlier acts of their window. The next statement counts all of
 * them.
 */
interface Waiting {
  acts: number;
  readonly used: PromiseWithResolvers<number>;
}

/** The waiting acts of each window in which a statement is counting; null if none wait. */
const waitingOf = new WeakMap<Database, Map<string, Waiting | null>>();

/**
 * Counts acts in order of arrival. Acts that arrive while a statement counts in the same window are counted
 * together by the next statement. So many calls of one caller need few statements, and these never wait for
 * each other's row.
 */
async function countTogether(database: Database, window: CurrentWindow, acts: number): Promise<number> {
  const windows = waitingOf.get(database) ?? new Map<string, Waiting | null>();
  waitingOf.set(database, windows);
  const key = `${window.workspaceId} ${window.guard} ${window.start} ${window.subject}`;
  const count = async (all: number): Promise<number> => {
    windows.set(key, null);
    try {
      return await addActs(database, window, all);
    } finally {
      const next = windows.get(key);
      if (next) count(next.acts).then(next.used.resolve, next.used.reject);
      else windows.delete(key);
    }
  };
  if (!windows.has(key)) return count(acts);
  const waiting = windows.get(key) ?? { acts: 0, used: Promise.withResolvers<number>() };
  windows.set(key, waiting);
  waiting.acts += acts;
  const place = waiting.acts;
  return (await waiting.used.promise) - waiting.acts + place;
}

async function addActs(database: Database, window: CurrentWindow, acts: number): Promise<number> {
  const { workspaceId, subject, guard, start } = window;
  const [counted] = await database.outsideTransaction.query<{ used: number }>(
    `INSERT INTO platform.write_guards AS g (workspace_id, actor, guard, window_start, used)
     SELECT $1::uuid, $2::text, $3::text, $4::timestamptz, $5::int FROM ${ASYNCHRONOUS_COMMIT}
     ON CONFLICT (workspace_id, actor, guard, window_start) DO UPDATE SET used = g.used + excluded.used
     RETURNING used`,
    [workspaceId, subject, guard, new Date(start), acts],
  );
  return counted!.used;
}

/**
 * Limits the writes of one kind that a caller makes per minute, such as awards of points. Counts one write.
 *
 * @throws AppError RATE_LIMITED (429, with Retry-After), GUARD_UNAVAILABLE (503, nothing written)
 */
export function guardWrite(ctx: Context, guard: keyof typeof guards): Promise<void> {
  const { workspaceId } = ctx.scope;
  const limit = ctx.caller.limits[guards[guard]];
  return guardWindow(ctx, { workspaceId, subject: ctx.caller.actor, guard, windowMs: MINUTE_MS, limit });
}

/**
 * Limits the points or coupon codes of one call.
 *
 * @param amount - points or codes
 * @throws AppError AMOUNT_OVER_CAP (400)
 */
export function guardValue(ctx: Context, field: string, amount: number): void {
  const { valueCap } = ctx.caller.limits;
  if (Math.abs(amount) > valueCap) {
    const rule = `must be at most ${valueCap}, the workspace's cap per call`;
    throw invalid(field, inputRule('AT_MOST', rule, { max: valueCap }), 'AMOUNT_OVER_CAP');
  }
}
