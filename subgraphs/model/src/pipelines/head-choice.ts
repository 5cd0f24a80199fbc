import { type BinaryModel, type BinarySetting, binaryChance, fitBinary } from '../estimators/binary-model.ts';
import { rowAt, rowsOf } from '../estimators/feature-encoder.ts';
import { labeledFolds, pick } from '../estimators/inner-folds.ts';
import { chooseLambda, simplestChoice } from '../estimators/logistic-choice.ts';
import type { FeatureRows } from '../numerics/logistic.ts';
import { sumOf } from '../numerics/metrics.ts';

/** Rows of signals with their names, labels of 0 and 1, and the chances of the standard model. */
export interface HeadRows {
  readonly names: readonly string[];
  readonly rows: FeatureRows;
  readonly labels: Uint8Array;
  readonly entities: readonly string[];
  /** Chance of the label 1 by the standard model. */
  readonly standard: Float64Array;
}

/** A set of signals that a head may use. */
export interface HeadCandidate {
  readonly head: string;
  readonly signals: readonly string[];
}

/** A candidate with its best setting. */
export type HeadChoice = BinarySetting & {
  readonly head: string;
  /** The candidate's signals that vary. */
  readonly signals: readonly string[];
  /** Mean log-loss of a row outside of inner fits, in nats. */
  readonly logLoss: number;
};

/** A choice; for boosted trees with their gain over the best head at a later time, in nats per row. */
export type JudgedChoice = HeadChoice & {
  readonly gain?: { readonly value: number; readonly low: number };
};

/** The chosen head, and all candidates, the smallest first. */
export interface ChosenHead {
  readonly choice: HeadChoice;
  readonly candidates: readonly JudgedChoice[];
}

/** A head fitted to rows. */
export interface FittedHead {
  readonly signals: readonly string[];
  readonly model: BinaryModel;
}

const LAMBDAS = [1, 3, 10, 30, 100] as const;
/** A signal with a smaller standard deviation is constant. */
const DEVIATION_MIN = 1e-9;

/** Returns the names of the signals that are not constant. */
export const varyingSignals = ({ names, rows }: Pick<HeadRows, 'names' | 'rows'>): string[] =>
  names.filter((_, column) => {
    let [mean, squares] = [0, 0];
    for (let row = 0; row < rows.count; row += 1) {
      const apart = rows.values[row * rows.width + column]! - mean;
      mean += apart / (row + 1);
      squares += apart * (rows.values[row * rows.width + column]! - mean);
    }
    return Math.sqrt(squares / rows.count) > DEVIATION_MIN;
  });

/**
 * Chooses the penalty of each candidate by its log-loss outside of 5 inner folds, then the smallest candidate
 * within one standard error of the best.
 *
 * @param candidates - the smallest first; at least one has a signal that varies
 */
export function chooseHead(rows: HeadRows, candidates: readonly HeadCandidate[], seed: number): ChosenHead {
  const varying = varyingSignals(rows);
  const { labels, entities } = rows;
  const folds = labeledFolds(labels, entities, seed);
  const choices = candidates.flatMap(({ head, signals: all }) => {
    const signals = all.filter((name) => varying.includes(name));
    if (signals.length === 0) return [];
    const side = { rows: columnsOf(rows, signals), labels, entities };
    const { setting: lambda, losses } = chooseLambda(side, folds, LAMBDAS);
    const logLoss = sumOf(losses) / losses.length;
    return [{ setting: { head, signals, lambda, trees: null, logLoss }, losses }];
  });
  return {
    choice: simplestChoice(choices.toReversed(), entities).setting,
    candidates: choices.map(({ setting }) => setting),
  };
}

/** Fits a choice to rows. */
export const fitHead = (rows: HeadRows, choice: HeadChoice): FittedHead => ({
  signals: choice.signals,
  model: fitBinary(columnsOf(rows, choice.signals), rows.labels, choice),
});

/** Returns the chance of the label 1 of each row. */
export function headChances({ signals, model }: FittedHead, rows: HeadRows): Float64Array {
  const columns = columnsOf(rows, signals);
  return Float64Array.from({ length: columns.count }, (_, row) => binaryChance(model, rowAt(columns, row)));
}

/** Returns some of the rows, in the order given. */
export const someRows = (all: HeadRows, places: ArrayLike<number>): HeadRows => ({
  names: all.names,
  rows: rowsOf(all.rows, places),
  labels: Uint8Array.from(places, (row) => all.labels[row]!),
  entities: pick(all.entities, places),
  standard: Float64Array.from(places, (row) => all.standard[row]!),
});

/** Returns some of the columns, in the order given. */
export function columnsOf({ names, rows }: HeadRows, wanted: readonly string[]): FeatureRows {
  const places = wanted.map((name) => names.indexOf(name));
  const values = new Float64Array(rows.count * places.length);
  for (let row = 0; row < rows.count; row += 1)
    for (let column = 0; column < places.length; column += 1)
      values[row * places.length + column] = rows.values[row * rows.width + places[column]!]!;
  return { count: rows.count, width: places.length, values };
}
