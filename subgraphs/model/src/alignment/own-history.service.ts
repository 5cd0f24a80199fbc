import { DAY_MS } from '@loyalty/platform/base/clock';
import { dayStartsIn } from '@loyalty/platform/base/zoned-days';
import type { Context } from '@loyalty/platform/context';
import { timeZoneOf } from '@loyalty/platform/database/time-zone';
import { runInThread } from '../estimators/run-in-thread.ts';
import type { AlignmentTarget, TrainingOutcome, WorkOptions } from '../estimators/training-request.ts';
import { dayIn } from '../facts/workspace-day.ts';
import type { OwnHistoryRequest } from './fit-own-history.ts';
import { historyBlocks } from './history-blocks.service.ts';
import { closedWindows } from './history-windows.ts';
import { collectWindows, type LabeledHistory } from './labeled-windows.ts';
import { firstPurchaseDay } from './own-history.store.ts';

/**
 * Fits a head in a thread. The request's numbers are transferred to the thread: they cannot be read here
 * afterwards.
 *
 * @throws the signal's reason; errors of the fit
 */
function fitInThread(request: OwnHistoryRequest, options: WorkOptions): Promise<TrainingOutcome> {
  const moved = request.history.windows.flatMap(({ values, labels, standard, firstDays, members }) =>
    [values, labels, standard, firstDays, members].map(({ buffer }) => buffer as ArrayBuffer),
  );
  return runInThread(new URL('./own-history.thread.ts', import.meta.url), request, options, moved);
}

const YEAR_DAYS = 365;

const MEMBERS_MIN = 500;

const WINDOWS_MIN = 2;

/** Share of reading in the whole progress. */
const READING_SHARE = 0.45;

/** Number of members at which the progress of reading is about half. */
const HALF_WAY_MEMBERS = 20_000;

/**
 * Returns an alignment from the workspace's own facts, if it passes every gate: members are scored by the
 * standard model at past cutoffs, the labels come from the horizon after each cutoff, and the newest closed
 * window is held out.
 *
 * @param horizon - days, 1 to 365
 * @returns null if there is too little history or a gate is not passed: there is no proposal
 * @throws AppError PEER_UNAVAILABLE (503); the signal's reason
 */
export async function proposedAlignment(
  ctx: Context,
  target: AlignmentTarget,
  horizon: number,
  options: Partial<WorkOptions> = {},
): Promise<TrainingOutcome | null> {
  const outcome = await ownHistoryAlignment(ctx, target, horizon, options);
  return outcome?.passed ? outcome : null;
}

/**
 * Like `proposedAlignment`, but with its report if gates are not passed; null only if there are fewer than
 * two closed windows with 500 members and both labels.
 *
 * @throws AppError PEER_UNAVAILABLE (503); the signal's reason
 */
export async function ownHistoryAlignment(
  ctx: Context,
  target: AlignmentTarget,
  horizon: number,
  { signal = ctx.request.signal, onProgress = () => undefined }: Partial<WorkOptions> = {},
): Promise<TrainingOutcome | null> {
  const history = await labeledHistory(ctx, target, horizon, { signal, onProgress });
  if (!history) return null;
  return fitInThread(
    {
      target,
      config: {
        origin: ctx.scope.mode === 'TEST' ? 'test' : 'live',
        horizon,
        ruleVersion: null,
        definition: null,
      },
      history,
      evaluatedAt: ctx.clock.now().toISOString(),
    },
    { signal, onProgress },
  );
}

/** Returns the labels of the closed windows with enough members; null if there are fewer than two. */
export async function labeledHistory(
  ctx: Context,
  target: AlignmentTarget,
  horizon: number,
  options: WorkOptions,
): Promise<LabeledHistory | null> {
  const history = await labeledWindows(ctx, { target, horizon, windowsMin: WINDOWS_MIN }, options);
  return history && history.windows.length >= WINDOWS_MIN ? history : null;
}

/**
 * Returns closed windows of a horizon, newest first, with labels of all members; without windows of fewer
 * than 500 members or one label only. Null if fewer than `windowsMin` are closed.
 *
 * @param about.windowsMax - reads no older ones. Default: all
 */
export async function labeledWindows(
  ctx: Context,
  about: {
    readonly target: AlignmentTarget;
    readonly horizon: number;
    readonly windowsMin: number;
    readonly windowsMax?: number;
  },
  { signal, onProgress }: WorkOptions,
): Promise<LabeledHistory | null> {
  const { target, horizon, windowsMin, windowsMax = Number.POSITIVE_INFINITY } = about;
  const timeZone = await timeZoneOf(ctx);
  const [dayOf, startOf] = [dayIn(timeZone), dayStartsIn(timeZone)];
  const now = ctx.clock.now();
  const firstDay = await firstPurchaseDay(ctx);
  const closed = firstDay === null ? [] : closedWindows(dayOf(now.getTime()), firstDay, horizon);
  const windows = closed.slice(0, windowsMax);
  if (windows.length < Math.max(windowsMin, 1)) return null;
  const hasLastYear = windows.at(-1)!.cutoffDay - YEAR_DAYS >= firstDay!;
  const collector = collectWindows({
    windows: windows.map((window) => ({ ...window, cutoffMs: startOf((window.cutoffDay + 1) * DAY_MS) })),
    ...{ target, horizon, hasLastYear },
  });
  let read = 0;
  for await (const { ids, histories } of historyBlocks(ctx, now, dayOf)) {
    signal.throwIfAborted();
    collector.add(ids, histories);
    read += ids.length;
    onProgress({
      step: `Reading what ${read} members did`,
      done: READING_SHARE * (read / (read + HALF_WAY_MEMBERS)),
    });
  }
  const history = collector.finish();
  const usable = history.windows.filter(
    ({ labels }) => labels.length >= MEMBERS_MIN && labels.includes(0) && labels.includes(1),
  );
  return { ...history, windows: usable };
}
