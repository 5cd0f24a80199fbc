import { chooseTreeCount } from '../estimators/boosted-trees.ts';
import { clusteredMean, labeledFolds } from '../estimators/inner-folds.ts';
import { lossOfChance } from '../numerics/metrics.ts';
import { columnsOf, fitHead, type HeadChoice, type HeadRows, headChances } from '../pipelines/head-choice.ts';

/** Boosted trees as an alternative to the chosen head. */
export interface TreeRival {
  readonly choice: HeadChoice;
  /** Reduction of the log-loss by trees in the newest past window, in nats per row, and its lower bound. */
  readonly gain: { readonly value: number; readonly low: number };
}

/** Standard errors between a mean and the lower bound of its 95% interval. */
const BOUND_ERRORS = 1.96;

/**
 * Fits boosted trees to older windows and evaluates them on a newer one, like the chosen head: what trees
 * find at one time must be valid at the next. Null if no tree helps.
 */
export function treeRival(
  older: HeadRows,
  newer: HeadRows,
  chosen: HeadChoice,
  signals: readonly string[],
  seed: number,
): TreeRival | null {
  const { labels, entities } = older;
  const folds = labeledFolds(labels, entities, seed);
  const { setting: trees, losses } = chooseTreeCount(columnsOf(older, signals), labels, folds);
  if (trees === 0) return null;
  const logLoss = losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
  const choice = { head: 'boosted_trees', signals, lambda: null, trees, logLoss } as const;
  const [ofChosen, ofTrees] = [chosen, choice].map((each) => headChances(fitHead(older, each), newer));
  const gains = Float64Array.from(
    newer.labels,
    (label, row) => lossOfChance(ofChosen![row]!, label) - lossOfChance(ofTrees![row]!, label),
  );
  const { mean, error } = clusteredMean(gains, newer.entities);
  return { choice, gain: { value: mean, low: mean - BOUND_ERRORS * error } };
}
