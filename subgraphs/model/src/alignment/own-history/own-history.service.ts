import { DAY_MS } from '@loyalty/platform/clock';
import type { Context } from '@loyalty/platform/context';
import { NO_ID } from '@loyalty/platform/values/ids';
import { timeZoneOf } from '@loyalty/platform/values/time-zone';
import { dayStartsIn } from '@loyalty/platform/values/zoned-days';
import { type DayOf, dayIn } from '../../facts/statistics/workspace-day.ts';
import { refusedConsumers } from '../../members/consumers.ts';
import type {
  AlignmentTarget,
  TrainingOutcome,
  WorkOptions,
} from '../../training/measures/training-request.ts';
import { fitInThread } from './fit-in-thread.ts';
import { closedWindows } from './history-windows.ts';
import { collectWindows, type LabeledHistory } from './labeled-windows.ts';
import type { MemberHistory } from './member-history.ts';
import {
  eventTimes,
  firstPurchaseDay,
  type MemberWithFacts,
  membersWithFacts,
  purchaseTimes,
} from './own-history.store.ts';

const YEAR_DAYS = 365;
/** Members whose facts are read at once. */
const BLOCK = 1_000;
/** Orders or events of a member; nobody has more, and whoever does is left out. */
const FACTS_MAX = 20_000;
const MEMBERS_MIN = 500;
const WINDOWS_MIN = 2;
/** Share of the work that reading is, of the whole. */
const READING_SHARE = 0.45;
/** Members after which the progress of reading is about half way. */
const HALF_WAY_MEMBERS = 20_000;

/**
 * An alignment from the workspace's own facts, if it passes every gate: the standard model scored everybody
 * at past cutoffs, what happened within the horizon gives the labels, and the newest closed window decides.
 *
 * @param horizon - days, 1 to 365
 * @returns null where there is too little history or a gate is not passed: nothing is to be proposed
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
 * As `proposedAlignment`, with its report where gates are not passed; null only where there are fewer than
 * two closed windows with 500 members and both labels.
 *
 * @throws AppError PEER_UNAVAILABLE (503); the signal's reason
 */
export async function ownHistoryAlignment(
  ctx: Context,
  target: AlignmentTarget,
  horizon: number,
  { signal = ctx.signal, onProgress = () => undefined }: Partial<WorkOptions> = {},
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

/** Labels of the closed windows that have enough members; null where fewer than two have. */
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
 * Closed windows of a horizon, the newest first, with labels of all members; without those that have fewer
 * than 500 members or one label only. Null where fewer than `windowsMin` are closed.
 *
 * @param about.windowsMax - reads no older ones; default: all
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

interface HistoryBlock {
  readonly ids: readonly string[];
  readonly histories: readonly MemberHistory[];
}

/** All members with facts that may be processed, in blocks, by their ids. */
async function* historyBlocks(ctx: Context, until: Date, dayOf: DayOf): AsyncGenerator<HistoryBlock> {
  for (let after = NO_ID; ; ) {
    const found = await membersWithFacts(ctx, after, BLOCK);
    if (found.length === 0) return;
    after = found.at(-1)!.memberId;
    const refused = await refusedConsumers(
      ctx,
      found.map(({ memberId }) => memberId),
    );
    yield readBlock(
      ctx,
      found.filter(({ memberId }) => !refused.has(memberId)),
      until,
      dayOf,
    );
  }
}

async function readBlock(
  ctx: Context,
  members: readonly MemberWithFacts[],
  until: Date,
  dayOf: DayOf,
): Promise<HistoryBlock> {
  const ids = members.map(({ memberId }) => memberId);
  const withEvents = members.filter(({ hasEvents }) => hasEvents).map(({ memberId }) => memberId);
  const purchases = await purchaseTimes(ctx, ids, until, FACTS_MAX + 1);
  const events = withEvents.length > 0 ? await eventTimes(ctx, withEvents, until, FACTS_MAX + 1) : [];
  const eventsOf = new Map(events.map((row) => [withEvents[row.place]!, row]));
  const known = purchases.filter(
    ({ place, count }) => Math.max(count, eventsOf.get(ids[place]!)?.count ?? 0) <= FACTS_MAX,
  );
  return {
    ids: known.map(({ place }) => ids[place]!),
    histories: known.map(({ place, times }) => {
      const own = eventsOf.get(ids[place]!);
      const types = own?.types?.split(' ') ?? [];
      return {
        purchaseDays: [...new Set(numbersOf(times).map(dayOf))],
        events: numbersOf(own?.times ?? null).map((ms, index) => ({ ms, type: types[index]! })),
      };
    }),
  };
}

const numbersOf = (text: string | null): number[] => (text === null ? [] : text.split(' ').map(Number));
