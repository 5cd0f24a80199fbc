import type { AlignmentTarget } from '../estimators/training-request.ts';
import { HISTORY_WIDTH, historySignals, type SignalMoment } from './history-signals.ts';
import type { HistoryWindow } from './history-windows.ts';
import type { MemberHistory } from './member-history.ts';

/** Members of one window with their signals and labels. */
export interface LabeledWindow {
  readonly cutoffDay: number;
  readonly labelEndDay: number;
  /** Signals, row by row. */
  readonly values: Float64Array;
  readonly labels: Uint8Array;
  /** Chance of the target by the standard model. */
  readonly standard: Float64Array;
  /** First day with a purchase. */
  readonly firstDays: Int32Array;
  /** Indexes of members in the list of all. */
  readonly members: Uint32Array;
}

/** Windows of all members, newest first. */
export interface LabeledHistory {
  readonly windows: readonly LabeledWindow[];
  readonly memberIds: readonly string[];
}

/** Collects rows of windows from blocks of members. */
export interface WindowCollector {
  readonly add: (memberIds: readonly string[], histories: readonly MemberHistory[]) => void;
  readonly finish: () => LabeledHistory;
}

/** The windows to collect, with the ends of their last days in milliseconds since 1970. */
export interface CollectedWindows {
  readonly windows: readonly (HistoryWindow & { readonly cutoffMs: number })[];
  readonly target: AlignmentTarget;
  readonly horizon: number;
  readonly hasLastYear: boolean;
}

/** Collects signals at each cutoff, and labels from the horizon after it. */
export function collectWindows({ windows, ...about }: CollectedWindows): WindowCollector {
  const parts = windows.map((): WindowPart[] => []);
  const memberIds: string[] = [];
  return {
    add(ids, histories) {
      const offset = memberIds.length;
      for (const id of ids) memberIds.push(id);
      windows.forEach((window, place) => {
        const moment = { ...about, day: window.cutoffDay, ms: window.cutoffMs };
        parts[place]!.push(windowPart(histories, moment, offset));
      });
    },
    finish: () => ({
      memberIds,
      windows: windows.map(({ cutoffDay, labelEndDay }, place) => {
        const own = parts[place]!.splice(0);
        return { cutoffDay, labelEndDay, ...joined(own) };
      }),
    }),
  };
}

type WindowPart = Omit<LabeledWindow, 'cutoffDay' | 'labelEndDay'>;

function windowPart(histories: readonly MemberHistory[], moment: SignalMoment, offset: number): WindowPart {
  const found = historySignals(histories, moment);
  const places = found.flatMap((signals, place) => (signals ? [place] : []));
  const values = new Float64Array(places.length * HISTORY_WIDTH);
  places.forEach((place, row) => {
    values.set(found[place]!.values, row * HISTORY_WIDTH);
  });
  return {
    values,
    labels: Uint8Array.from(places, (place) => labelOf(histories[place]!, moment)),
    standard: Float64Array.from(places, (place) => found[place]!.standard),
    firstDays: Int32Array.from(places, (place) => found[place]!.firstDay),
    members: Uint32Array.from(places, (place) => offset + place),
  };
}

/** Returns 1 if the target occurred in the days after the cutoff, else 0. */
function labelOf({ purchaseDays }: MemberHistory, { day, horizon, target }: SignalMoment): number {
  const hasBought = purchaseDays.some((each) => each > day && each <= day + horizon);
  return hasBought === (target === 'purchase') ? 1 : 0;
}

function joined(parts: readonly WindowPart[]): WindowPart {
  const rows = parts.reduce((sum, { labels }) => sum + labels.length, 0);
  const all = {
    values: new Float64Array(rows * HISTORY_WIDTH),
    labels: new Uint8Array(rows),
    standard: new Float64Array(rows),
    firstDays: new Int32Array(rows),
    members: new Uint32Array(rows),
  };
  let row = 0;
  for (const { values, labels, standard, firstDays, members } of parts) {
    all.values.set(values, row * HISTORY_WIDTH);
    all.labels.set(labels, row);
    all.standard.set(standard, row);
    all.firstDays.set(firstDays, row);
    all.members.set(members, row);
    row += labels.length;
  }
  return all;
}
