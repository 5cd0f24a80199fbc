/** Numbers of rows one after another: scores, labels (0 or 1), weights. */
export type Numbers = ArrayLike<number>;

/** A figure of weighted rows; NaN if it is not defined. */
export type WeightedFigure = (weights: Numbers | null) => number;

/** Sums numbers in their order. */
export function sumOf(numbers: Numbers): number {
  let sum = 0;
  for (let row = 0; row < numbers.length; row += 1) sum += numbers[row]!;
  return sum;
}

/** Returns the indexes of rows by ascending score; equal scores keep the order of rows. */
export const orderOf = (scores: Numbers): Uint32Array =>
  Uint32Array.from({ length: scores.length }, (_, row) => row).sort(
    (one, other) => scores[one]! - scores[other]! || one - other,
  );

/** Area under the ROC curve; equal scores count half. NaN if only one label occurs. */
export const auc = (scores: Numbers, labels: Numbers, weights: Numbers | null = null): number =>
  aucOf(scores, labels)(weights);

/** Returns the area under the ROC curve of the same rows for other weights; the scores are sorted once. */
export function aucOf(scores: Numbers, labels: Numbers): WeightedFigure {
  const order = orderOf(scores);
  return (weights) => {
    let [negativesBelow, pairs, positives] = [0, 0, 0];
    for (let place = 0; place < order.length; ) {
      const score = scores[order[place]!]!;
      let [tiedPositives, tiedNegatives] = [0, 0];
      for (; place < order.length && scores[order[place]!]! === score; place += 1) {
        const row = order[place]!;
        const weight = weights === null ? 1 : weights[row]!;
        if (labels[row] === 1) tiedPositives += weight;
        else tiedNegatives += weight;
      }
      pairs += tiedPositives * (negativesBelow + tiedNegatives / 2);
      positives += tiedPositives;
      negativesBelow += tiedNegatives;
    }
    return pairs / (positives * negativesBelow);
  };
}

const CHANCE_MIN = 1e-15;

/** Log-loss of one chance, in nats; chances are clipped to at least 1e-15 from 0 and 1. */
export function lossOfChance(chance: number, label: number): number {
  const bounded = Math.min(1 - CHANCE_MIN, Math.max(CHANCE_MIN, chance));
  return label === 1 ? -Math.log(bounded) : -Math.log1p(-bounded);
}

/** Mean log-loss of chances of the label 1, in nats. */
export const logLoss = (chances: Numbers, labels: Numbers, weights: Numbers | null = null): number =>
  weightedMean(
    Float64Array.from(chances, (chance, row) => lossOfChance(chance, labels[row]!)),
    weights,
  );

/** Mean squared difference of chances and labels. */
export const brier = (chances: Numbers, labels: Numbers, weights: Numbers | null = null): number =>
  weightedMean(
    Float64Array.from(chances, (chance, row) => (chance - labels[row]!) * (chance - labels[row]!)),
    weights,
  );

/** Weighted mean of numbers; NaN of an empty list. */
export function weightedMean(numbers: Numbers, weights: Numbers | null = null): number {
  let [sum, count] = [0, 0];
  for (let row = 0; row < numbers.length; row += 1) {
    const weight = weights === null ? 1 : weights[row]!;
    sum += weight * numbers[row]!;
    count += weight;
  }
  return sum / count;
}

/**
 * Average precision: the mean, over the positives from the highest score down, of the precision up to each.
 * Equal scores count as one step. NaN without a positive. The returned function takes weights of the same
 * rows; the scores are sorted once.
 */
export function averagePrecisionOf(scores: Numbers, labels: Numbers): WeightedFigure {
  const order = orderOf(scores).reverse();
  return (weights) => {
    let [positives, count, sum] = [0, 0, 0];
    for (let place = 0; place < order.length; ) {
      const score = scores[order[place]!]!;
      let added = 0;
      for (; place < order.length && scores[order[place]!]! === score; place += 1) {
        const row = order[place]!;
        const weight = weights === null ? 1 : weights[row]!;
        if (labels[row] === 1) added += weight;
        count += weight;
      }
      positives += added;
      if (added > 0) sum += added * (positives / count);
    }
    return sum / positives;
  };
}

/** Rows of similar chances: the predicted chance and the observed share. */
export interface CalibrationBin {
  readonly count: number;
  /** Mean chance. */
  readonly predicted: number;
  /** Share of the label 1. */
  readonly observed: number;
}

const BINS = 10;

/** Divides rows by their chances into bins of equal size, the lowest first; no bin is empty. */
export function calibrationBins(chances: Numbers, labels: Numbers, bins = BINS): CalibrationBin[] {
  const order = orderOf(chances);
  const all = Array.from({ length: bins }, (_, bin) => {
    const from = Math.floor((bin * order.length) / bins);
    const rows = order.subarray(from, Math.floor(((bin + 1) * order.length) / bins));
    const meanOf = (numbers: Numbers) => weightedMean(Float64Array.from(rows, (row) => numbers[row]!));
    return { count: rows.length, predicted: meanOf(chances), observed: meanOf(labels) };
  });
  return all.filter(({ count }) => count > 0);
}

/** Mean absolute difference of predicted and observed shares over 10 bins of equal size, from 0 to 1. */
export function expectedCalibrationError(chances: Numbers, labels: Numbers, bins = BINS): number {
  let sum = 0;
  for (const { count, predicted, observed } of calibrationBins(chances, labels, bins))
    sum += count * Math.abs(predicted - observed);
  return sum / chances.length;
}
