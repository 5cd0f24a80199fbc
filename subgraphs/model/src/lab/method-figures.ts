import {
  type BootstrappedFigure,
  boundOf,
  type EntityBootstrap,
  entityBootstrap,
} from '../numerics/bootstrap.ts';
import {
  aucOf,
  type CalibrationBin,
  calibrationBins,
  expectedCalibrationError,
  lossOfChance,
  type Numbers,
  orderOf,
  sumOf,
  type WeightedFigure,
  weightedMean,
} from '../numerics/metrics.ts';
import { type JudgedWindow, METHODS, type PredictionMethod, RANKS } from './rolling-windows.ts';

/** A figure with its 95% bounds from resamples. */
export interface Bounded {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** The quality of a method; figures of chances are null for methods that only rank customers. */
export interface MethodFigures {
  readonly method: PredictionMethod;
  readonly auc: Bounded;
  /** Purchase rate of the best tenth of customers, as a multiple of the rate of all. */
  readonly lift: Bounded;
  /** Reduction of the Brier score relative to a forecast by the window's rate. */
  readonly brierSkill: Bounded | null;
  /** In nats per customer. */
  readonly logLoss: Bounded | null;
  /** Expected calibration error. */
  readonly ece: number | null;
  readonly calibration: readonly CalibrationBin[];
}

/** Figures of all methods in one window, or in all windows together. */
export interface EvaluatedWindows {
  readonly name: string;
  readonly customers: number;
  readonly rate: number;
  readonly methods: readonly MethodFigures[];
}

const SEED = 20_260_101;
const BEST_SHARE = 0.1;

/**
 * Computes the figures of windows together; a customer who is in several windows is one entity in the
 * resamples.
 */
export function figuresOf(name: string, windows: readonly JudgedWindow[]): EvaluatedWindows {
  const labels = Uint8Array.from(windows.flatMap((window) => [...window.labels]));
  const rates = Float64Array.from(
    windows.flatMap((window) => {
      const rate = sumOf(window.labels) / window.labels.length;
      return Array.from(window.labels, () => rate);
    }),
  );
  const bootstrap = entityBootstrap(
    windows.flatMap(({ customers }) => customers),
    SEED,
  );
  const methods = METHODS.map((method) => {
    const scores = Float64Array.from(windows.flatMap((window) => [...window.scores[method]]));
    return methodFigures(method, { scores, labels, rates }, bootstrap);
  });
  return { name, customers: labels.length, rate: sumOf(labels) / labels.length, methods };
}

interface JudgedRows {
  readonly scores: Float64Array;
  readonly labels: Uint8Array;
  /** The purchase rate of each row's window. */
  readonly rates: Float64Array;
}

function methodFigures(
  method: PredictionMethod,
  { scores, labels, rates }: JudgedRows,
  bootstrap: EntityBootstrap,
): MethodFigures {
  const ordered = {
    method,
    auc: bounded(bootstrap(aucOf(scores, labels))),
    lift: bounded(bootstrap(liftOf(scores, labels))),
  };
  if (RANKS.includes(method))
    return { ...ordered, brierSkill: null, logLoss: null, ece: null, calibration: [] };
  const losses = scores.map((score, row) => lossOfChance(score, labels[row]!));
  const squares = scores.map((score, row) => (score - labels[row]!) ** 2);
  const usual = rates.map((rate, row) => (rate - labels[row]!) ** 2);
  const skill: WeightedFigure = (weights) =>
    1 - weightedMean(squares, weights) / weightedMean(usual, weights);
  return {
    ...ordered,
    brierSkill: bounded(bootstrap(skill)),
    logLoss: bounded(bootstrap((weights) => weightedMean(losses, weights))),
    ece: expectedCalibrationError(scores, labels),
    calibration: calibrationBins(scores, labels),
  };
}

const bounded = (figure: BootstrappedFigure): Bounded => ({
  value: figure.value,
  low: boundOf(figure, 0.025),
  high: boundOf(figure, 0.975),
});

/** Returns the rate of the tenth with the highest scores, as a multiple of the rate of all. */
export function liftOf(scores: Numbers, labels: Numbers): WeightedFigure {
  const order = orderOf(scores).reverse();
  return (weights) => {
    const weightOf = (row: number) => (weights === null ? 1 : weights[row]!);
    const [total, positives] = [weightedSum(labels, weights, false), weightedSum(labels, weights, true)];
    let [taken, found] = [0, 0];
    for (const row of order) {
      if (taken >= BEST_SHARE * total) break;
      taken += weightOf(row);
      found += weightOf(row) * labels[row]!;
    }
    return found / taken / (positives / total);
  };
}

function weightedSum(labels: Numbers, weights: Numbers | null, isOfPositives: boolean): number {
  let sum = 0;
  for (let row = 0; row < labels.length; row += 1)
    sum += (weights === null ? 1 : weights[row]!) * (isOfPositives ? labels[row]! : 1);
  return sum;
}

/** Returns the share of all positives among the best tenth, two tenths … of customers. */
export function gainsOf(
  scores: Numbers,
  labels: Numbers,
): readonly { readonly x: number; readonly y: number }[] {
  const order = orderOf(scores).reverse();
  const positives = sumOf(labels);
  return Array.from({ length: 11 }, (_, tenth) => {
    const taken = order.subarray(0, Math.round((tenth * order.length) / 10));
    return { x: tenth / 10, y: sumOf(Float64Array.from(taken, (row) => labels[row]!)) / positives };
  });
}
