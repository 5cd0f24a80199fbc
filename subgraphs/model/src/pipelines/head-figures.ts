import { type BoundedFigure, boundedFigure, finite, type Gate, gate } from '../estimators/gates.ts';
import { boundOf, entityBootstrap } from '../numerics/bootstrap.ts';
import * as metrics from '../numerics/metrics.ts';

/** Chances for rows that the head was not fitted to. */
export interface HeldOutHead {
  readonly chances: Float64Array;
  readonly labels: Uint8Array;
  readonly entities: readonly string[];
  /** Chance of the label 1 by the standard model. */
  readonly standard: Float64Array;
  /** Share of the label 1 in the samples of the fit. */
  readonly baseRate: number;
}

/** The held-out figures of a head, beside the base rate and the standard model. */
export interface HeadFigures {
  readonly metrics: Readonly<Record<string, BoundedFigure>>;
  readonly baseline: Readonly<Record<string, number | null>>;
  readonly calibration: readonly metrics.CalibrationBin[];
  readonly gates: readonly Gate[];
}

/** The log-loss, in nats, by which a head may exceed the standard model. */
export const ABOVE_STANDARD_MAX = 0.002;
const AUC_MIN = 0.58;
const AUC_LOWER = 0.025;
const GAIN_LOWER = 0.05;
const LARGE = 1_000;
const ECE_MAX = 0.08;
const ECE_MAX_LARGE = 0.05;
const BINS_MAX = 10;
/** Rows per calibration bin: with fewer, bins show only noise. */
const BIN_ROWS_MIN = 50;

/**
 * Measures a head on held-out rows, with bounds of 200 resamples of entities.
 *
 * @param aboveStandardMax - log-loss, in nats, by which the head may be worse than the standard model; null
 *   if the standard model has no score for the target
 * @param prefix - prefix of the gates' names
 */
export function headFigures(
  heldOut: HeldOutHead,
  seed: number,
  { aboveStandardMax, prefix = '' }: { readonly aboveStandardMax: number | null; readonly prefix?: string },
): HeadFigures {
  const { chances, labels, entities, standard, baseRate } = heldOut;
  const bootstrap = entityBootstrap(entities, seed);
  const lossesOf = (of: metrics.Numbers) =>
    Float64Array.from(labels, (label, row) => metrics.lossOfChance(of[row]!, label));
  const flat = new Float64Array(labels.length).fill(baseRate);
  const losses = lossesOf(chances);
  const meanOf = (figures: Float64Array) => bootstrap((weights) => metrics.weightedMean(figures, weights));
  const gainOver = (of: metrics.Numbers) => meanOf(lossesOf(of).map((loss, row) => loss - losses[row]!));
  const auc = bootstrap(metrics.aucOf(chances, labels));
  const aucGain = bootstrap(aucDifference(metrics.aucOf(chances, labels), metrics.aucOf(standard, labels)));
  const [gain, overStandard] = [gainOver(flat), gainOver(standard)];
  const bins = binsOf(labels.length);
  const ece = metrics.expectedCalibrationError(chances, labels, bins);
  return {
    metrics: {
      auc: boundedFigure(auc),
      auc_gain_over_standard: boundedFigure(aucGain),
      log_loss: boundedFigure(meanOf(losses)),
      log_loss_gain: boundedFigure(gain),
      log_loss_gain_over_standard: boundedFigure(overStandard),
      brier: unbounded(metrics.brier(chances, labels)),
      brier_skill: unbounded(brierSkill(chances, heldOut)),
      ece: unbounded(ece),
    },
    baseline: {
      base_rate: finite(baseRate),
      held_out_rate: finite(metrics.sumOf(labels) / labels.length),
      log_loss: finite(metrics.logLoss(flat, labels)),
      standard_auc: finite(metrics.auc(standard, labels)),
      standard_log_loss: finite(metrics.logLoss(standard, labels)),
      standard_brier_skill: finite(brierSkill(standard, heldOut)),
      standard_ece: finite(metrics.expectedCalibrationError(standard, labels, bins)),
    },
    calibration: metrics.calibrationBins(chances, labels, bins),
    gates: [
      gate('auc', auc.value, 'at least', AUC_MIN),
      gate('auc_bound', boundOf(auc, AUC_LOWER), 'above', 0.5),
      gate('log_loss_gain_bound', boundOf(gain, GAIN_LOWER), 'above', 0),
      ...(aboveStandardMax === null
        ? []
        : [gate('log_loss_above_standard', -overStandard.value, 'at most', aboveStandardMax)]),
      gate('ece', ece, 'at most', calibrationBound(labels.length)),
    ].map((each) => ({ ...each, name: `${prefix}${each.name}` })),
  };
}

/** Returns the greatest permitted calibration error of this many rows. */
export const calibrationBound = (rows: number): number => (rows < LARGE ? ECE_MAX : ECE_MAX_LARGE);

const unbounded = (value: number): BoundedFigure => ({ value: finite(value), low: null, high: null });

/** The Brier skill: the reduction of the squared error relative to the base rate. */
const brierSkill = (chances: metrics.Numbers, { labels, baseRate }: HeldOutHead): number =>
  1 - metrics.brier(chances, labels) / metrics.brier(new Float64Array(labels.length).fill(baseRate), labels);

const aucDifference =
  (one: metrics.WeightedFigure, other: metrics.WeightedFigure): metrics.WeightedFigure =>
  (weights) =>
    one(weights) - other(weights);

/** Returns the number of bins: up to 10 of equal size, each with at least 50 rows. */
const binsOf = (rows: number): number => Math.max(1, Math.min(BINS_MAX, Math.floor(rows / BIN_ROWS_MIN)));
