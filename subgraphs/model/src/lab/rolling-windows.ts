import { DAY_MS } from '@loyalty/platform/base/clock';
import { fitOwnHistory } from '../alignment/fit-own-history.ts';
import { HISTORY_SIGNALS, HISTORY_WIDTH } from '../alignment/history-signals.ts';
import { collectWindows, type LabeledHistory, type LabeledWindow } from '../alignment/labeled-windows.ts';
import type { TrainedArtifact } from '../estimators/training-request.ts';
import { fitLogistic, predictLogistic } from '../numerics/logistic.ts';
import { alignedScore, readAlignment } from '../pipelines/alignment-artifact.ts';
import { bgNbd } from './bg-nbd.ts';
import { weighted } from './calibration.ts';
import { fitModel } from './fit.ts';
import type { CustomerHistory } from './order-history.ts';
import type { Pattern } from './purchase-model.ts';

/** The target and the number of windows. */
export interface EvaluationOptions {
  readonly target: 'purchase' | 'churn';
  /** In days. */
  readonly horizon: number;
  /** The most windows that are judged. */
  readonly cutoffs: number;
}

/** Scores by each method; those of `RANKS` rank customers and are not chances. */
export type MethodScores = Readonly<Record<PredictionMethod, Float64Array>>;

export const METHODS = ['standard', 'aligned', 'bg_nbd', 'rfm', 'recency', 'frequency'] as const;
export type PredictionMethod = (typeof METHODS)[number];
export const RANKS: readonly PredictionMethod[] = ['recency', 'frequency'];

/** One judged window. */
export interface JudgedWindow {
  /** YYYY-MM-DD; the last day whose data is known. */
  readonly cutoff: string;
  readonly customers: readonly string[];
  readonly labels: Uint8Array;
  readonly scores: MethodScores;
  /** Name of the alignment's head. */
  readonly head: string;
}

/** Windows to which heads are fitted, in addition to the judged one. */
const PAST_WINDOWS = 3;
const HISTORY_DAYS_MIN = 28;
const CUSTOMERS_MIN = 100;
const RFM_LAMBDA = 1;

/**
 * Judges every method at past cutoffs, one horizon apart, the newest first. Fits use only data up to the
 * cutoff.
 *
 * @param onWindow - called before each window, with its number from 1
 * @returns without windows that have fewer than 100 customers or only one label
 */
export function judgeWindows(
  histories: readonly CustomerHistory[],
  { target, horizon, cutoffs }: EvaluationOptions,
  onWindow: (window: number, cutoff: string) => void,
): JudgedWindow[] {
  const [first, last] = [firstDayOf(histories), lastDayOf(histories)];
  const judged: JudgedWindow[] = [];
  for (let back = 1; back <= cutoffs; back += 1) {
    const cutoff = last - back * horizon;
    // A fit needs an older window of the same length.
    if (cutoff - horizon - first < HISTORY_DAYS_MIN) break;
    onWindow(back, dateOf(cutoff));
    const window = judge(histories, { target, horizon, cutoff, first });
    if (window) judged.push(window);
  }
  return judged;
}

const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

const firstDayOf = (histories: readonly CustomerHistory[]): number =>
  histories.reduce((first, { purchaseDays }) => Math.min(first, purchaseDays[0]!), Number.POSITIVE_INFINITY);

const lastDayOf = (histories: readonly CustomerHistory[]): number =>
  histories.reduce((last, { purchaseDays }) => Math.max(last, purchaseDays.at(-1)!), 0);

interface Judgement extends Omit<EvaluationOptions, 'cutoffs'> {
  readonly cutoff: number;
  readonly first: number;
}

function judge(histories: readonly CustomerHistory[], about: Judgement): JudgedWindow | null {
  const labeled = windowsUpTo(histories, about);
  const [newest, ...past] = labeled.windows;
  if (!newest || past.length === 0) return null;
  const customers = Array.from(newest.members, (member) => histories[member]!);
  const { artifact, head } = alignmentOf(labeled, about);
  const sign = about.target === 'purchase' ? 1 : -1;
  return {
    cutoff: dateOf(about.cutoff),
    customers: customers.map(({ customer }) => customer),
    labels: newest.labels,
    head,
    scores: {
      standard: newest.standard,
      aligned: alignedChances(artifact, newest),
      bg_nbd: bgNbdChances(histories, customers, about),
      rfm: rfmChances(histories, past, newest),
      recency: columnOf(newest, 'recency').map((value) => -sign * value),
      frequency: columnOf(newest, 'frequency').map((value) => sign * value),
    },
  };
}

/** The judged window and up to three older ones, the newest first; each has 100 customers and both labels. */
function windowsUpTo(
  histories: readonly CustomerHistory[],
  { target, horizon, cutoff, first }: Judgement,
): LabeledHistory {
  const ends = Array.from({ length: PAST_WINDOWS + 1 }, (_, back) => cutoff - back * horizon);
  const windows = ends
    .filter((day) => day - first >= HISTORY_DAYS_MIN)
    .map((cutoffDay) => ({
      cutoffDay,
      labelEndDay: cutoffDay + horizon,
      cutoffMs: (cutoffDay + 1) * DAY_MS,
    }));
  const hasLastYear = windows.at(-1)!.cutoffDay - 365 >= first;
  const collector = collectWindows({ windows, target, horizon, hasLastYear });
  collector.add(
    histories.map(({ customer }) => customer),
    histories,
  );
  const found = collector.finish();
  const isUsable = ({ labels }: LabeledWindow) =>
    labels.length >= CUSTOMERS_MIN && labels.includes(0) && labels.includes(1);
  const [newest, ...past] = found.windows;
  return { ...found, windows: newest && isUsable(newest) ? [newest, ...past.filter(isUsable)] : [] };
}

/** Fits the head that the product would propose at the cutoff, regardless of its gates. */
function alignmentOf(history: LabeledHistory, { target, horizon, cutoff }: Judgement) {
  const config = { origin: 'live', horizon, ruleVersion: null, definition: null } as const;
  const evaluatedAt = new Date(cutoff * DAY_MS).toISOString();
  const { artifact } = fitOwnHistory({ target, config, history, evaluatedAt }, () => undefined);
  return { artifact, head: readAlignment(artifact).head };
}

/**
 * Applies the alignment like analyses do: with the standard chance if the signals are unlike those in the
 * fit.
 */
function alignedChances(artifact: TrainedArtifact, window: LabeledWindow): Float64Array {
  const { signals } = readAlignment(artifact);
  return window.standard.map((standard, row) => {
    const named = Object.fromEntries(
      signals.map((name) => [
        name,
        window.values[row * HISTORY_WIDTH + (HISTORY_SIGNALS as readonly string[]).indexOf(name)]!,
      ]),
    );
    return alignedScore(artifact, named).score ?? standard;
  });
}

const columnOf = (
  { values, labels }: LabeledWindow,
  name: (typeof HISTORY_SIGNALS)[number],
): Float64Array => {
  const column = HISTORY_SIGNALS.indexOf(name);
  return Float64Array.from(labels, (_, row) => values[row * HISTORY_WIDTH + column]!);
};

/** Chance of a purchase, or of none, by BG/NBD fitted to the data up to the cutoff. */
function bgNbdChances(
  histories: readonly CustomerHistory[],
  customers: readonly CustomerHistory[],
  { target, horizon, cutoff }: Judgement,
): Float64Array {
  const patternOf = ({ purchaseDays }: CustomerHistory): Pattern | null => {
    const known = purchaseDays.filter((day) => day <= cutoff);
    const [from, until] = [known[0], known.at(-1)];
    if (from === undefined || until === undefined) return null;
    return { x: known.length - 1, tx: until - from, t: cutoff - from };
  };
  const patterns = histories.flatMap((history) => patternOf(history) ?? []);
  const { parameters } = fitModel(bgNbd, weighted(patterns));
  const [r, alpha] = parameters as readonly [number, number];
  return Float64Array.from(customers, (customer) => {
    const pattern = patternOf(customer)!;
    const silent = Math.exp((r + pattern.x) * -Math.log1p(horizon / (alpha + pattern.t)));
    const chance = bgNbd.aliveChance(parameters, pattern) * (1 - silent);
    return target === 'purchase' ? chance : 1 - chance;
  });
}

/** A logistic regression on recency, frequency and mean amount, fitted to the older windows. */
function rfmChances(
  histories: readonly CustomerHistory[],
  past: readonly LabeledWindow[],
  newest: LabeledWindow,
): Float64Array {
  const tables = past.map((window) => rfmOf(histories, window));
  const count = tables.reduce((sum, table) => sum + table.count, 0);
  const all = { count, width: RFM_WIDTH, values: new Float64Array(count * RFM_WIDTH) };
  let offset = 0;
  for (const { values } of tables) {
    all.values.set(values, offset);
    offset += values.length;
  }
  const labels = Uint8Array.from(past.flatMap((window) => [...window.labels]));
  const model = fitLogistic(all, labels, RFM_LAMBDA);
  const { values } = rfmOf(histories, newest);
  return Float64Array.from(newest.labels, (_, row) =>
    predictLogistic(model, values.subarray(row * RFM_WIDTH, (row + 1) * RFM_WIDTH)),
  );
}

const RFM_WIDTH = 3;

function rfmOf(histories: readonly CustomerHistory[], window: LabeledWindow) {
  const [recency, frequency] = [columnOf(window, 'recency'), columnOf(window, 'frequency')];
  const values = new Float64Array(window.labels.length * RFM_WIDTH);
  window.members.forEach((member, row) => {
    const { purchaseDays, amounts } = histories[member]!;
    const known = purchaseDays.filter((day) => day <= window.cutoffDay).length;
    const mean = amounts.slice(0, known).reduce((sum, amount) => sum + amount, 0) / Math.max(known, 1);
    values.set([recency[row]!, frequency[row]!, Math.log1p(Math.max(mean, 0))], row * RFM_WIDTH);
  });
  return { count: window.labels.length, width: RFM_WIDTH, values };
}
