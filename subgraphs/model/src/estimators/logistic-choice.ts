import { type FeatureRows, fitLogistic, type LogisticModel, predictLogistic } from '../numerics/logistic.ts';
import { lossOfChance } from '../numerics/metrics.ts';
import { rowAt, rowsOf } from './feature-encoder.ts';
import { clusteredMean, type InnerFold } from './inner-folds.ts';

/** A learner's setting with its losses on rows outside of its fits. */
export interface InnerChoice<Setting> {
  readonly setting: Setting;
  /** Log-loss of each row by the fit without it, in nats. */
  readonly losses: Float64Array;
}

/** Encoded rows with their labels of 0 and 1 and their entities. */
export interface LabeledSide {
  readonly rows: FeatureRows;
  readonly labels: Uint8Array;
  readonly entities: readonly string[];
}

const LAMBDAS = [1, 2, 5, 10, 20, 50, 100] as const;

/**
 * Chooses the largest penalty whose log-loss on rows outside of the fits is within one standard error of the
 * least: simpler models stay valid longer.
 */
export function chooseLambda(
  { rows, labels, entities }: LabeledSide,
  folds: readonly InnerFold[],
  lambdas: readonly number[] = LAMBDAS,
): InnerChoice<number> {
  const choices = lambdas.map((setting) => ({ setting, losses: new Float64Array(rows.count) }));
  for (const { inside, outside } of folds) {
    const [insideRows, insideLabels] = [rowsOf(rows, inside), Uint8Array.from(inside, (row) => labels[row]!)];
    let model: LogisticModel | null = null;
    for (const { setting, losses } of choices) {
      model = fitLogistic(insideRows, insideLabels, setting, model);
      for (const row of outside)
        losses[row] = lossOfChance(predictLogistic(model, rowAt(rows, row)), labels[row]!);
    }
  }
  return simplestChoice(choices, entities);
}

/**
 * Returns the last choice within one standard error of the best; choices are sorted from complex to simple.
 */
export function simplestChoice<Setting>(
  choices: readonly InnerChoice<Setting>[],
  entities: readonly string[],
): InnerChoice<Setting> {
  const best = leastLoss(choices);
  const isClose = ({ losses }: InnerChoice<Setting>) => {
    const { mean, error } = clusteredMean(
      losses.map((loss, row) => loss - best.losses[row]!),
      entities,
    );
    return mean <= error;
  };
  return choices.findLast(isClose) ?? best;
}

/** Returns the choice with the least sum of losses; the last one of equal choices. */
export function leastLoss<Setting>(choices: readonly InnerChoice<Setting>[]): InnerChoice<Setting> {
  const sumsOf = ({ losses }: InnerChoice<Setting>) => losses.reduce((sum, loss) => sum + loss, 0);
  const sums = choices.map(sumsOf);
  const least = sums.reduce((best, sum, place) => (sum <= sums[best]! ? place : best), 0);
  return choices[least]!;
}
