import type { FeatureRows } from '../numerics/logistic.ts';
import { lossOfChance } from '../numerics/metrics.ts';
import { type BinnedRows, binnedRows, growTree, type RegressionTree, treeValue } from './histogram-tree.ts';
import type { InnerFold } from './inner-folds.ts';
import type { InnerChoice } from './logistic-choice.ts';

/** Trees whose values are added to a logit one after another. */
export interface BoostedTrees {
  /** Logit of the base rate of the training samples. */
  readonly intercept: number;
  readonly trees: readonly RegressionTree[];
  /** Sum of the gains of splits by each column. */
  readonly gains: readonly number[];
}

const RATE = 0.05;
const TREES_MAX = 150;
/** Early stopping: trees without a better mean log-loss of the inner folds. */
const STOP_AFTER = 20;

/** A model that grows one tree at a time. */
interface Booster {
  readonly trees: RegressionTree[];
  readonly intercept: number;
  readonly gains: Float64Array;
  /** Logits of all rows, inside and outside of the fold. */
  readonly logits: Float64Array;
  readonly grow: () => void;
}

const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-logit));

/**
 * Fits boosted trees of depth 3 with a learning rate of .05.
 *
 * @param labels - 0 or 1 for each row; both must occur
 * @param count - number of trees, at least 0
 */
export function fitBoostedTrees(rows: FeatureRows, labels: Uint8Array, count: number): BoostedTrees {
  const all = Uint32Array.from({ length: rows.count }, (_, row) => row);
  const booster = createBooster(rows, binnedRows(rows), labels, all);
  for (let tree = 0; tree < count; tree += 1) booster.grow();
  return { intercept: booster.intercept, trees: booster.trees, gains: [...booster.gains] };
}

/** Returns the chance of the label 1 for the encoded features of one row. */
export function predictBoostedTrees({ intercept, trees }: BoostedTrees, row: ArrayLike<number>): number {
  let logit = intercept;
  for (const tree of trees) logit += treeValue(tree, row);
  return sigmoid(logit);
}

/** Returns the number of trees with the least log-loss on rows outside of the fits, at most 150. */
export function chooseTreeCount(
  rows: FeatureRows,
  labels: Uint8Array,
  folds: readonly InnerFold[],
): InnerChoice<number> {
  const binned = binnedRows(rows);
  const boosters = folds.map(({ inside }) => createBooster(rows, binned, labels, inside));
  const lossesNow = () => {
    const losses = new Float64Array(rows.count);
    folds.forEach(({ outside }, fold) => {
      for (const row of outside)
        losses[row] = lossOfChance(sigmoid(boosters[fold]!.logits[row]!), labels[row]!);
    });
    return losses;
  };
  const sumOf = (losses: Float64Array) => losses.reduce((sum, loss) => sum + loss, 0);
  let best: InnerChoice<number> = { setting: 0, losses: lossesNow() };
  let least = sumOf(best.losses);
  for (let count = 1; count <= TREES_MAX && count - best.setting <= STOP_AFTER; count += 1) {
    for (const booster of boosters) booster.grow();
    const losses = lossesNow();
    const sum = sumOf(losses);
    if (sum < least) [best, least] = [{ setting: count, losses }, sum];
  }
  return best;
}

function createBooster(
  rows: FeatureRows,
  binned: BinnedRows,
  labels: Uint8Array,
  inside: Uint32Array,
): Booster {
  const positives = inside.reduce((sum, row) => sum + labels[row]!, 0);
  const intercept = Math.log(positives / (inside.length - positives));
  const logits = new Float64Array(rows.count).fill(intercept);
  const [slopes, curvatures] = [new Float64Array(rows.count), new Float64Array(rows.count)];
  const gains = new Float64Array(rows.width);
  const trees: RegressionTree[] = [];
  const grow = () => {
    for (const row of inside) {
      const chance = sigmoid(logits[row]!);
      slopes[row] = labels[row]! - chance;
      curvatures[row] = chance * (1 - chance);
    }
    const tree = growTree(binned, inside, { slopes, curvatures }, RATE, gains);
    trees.push(tree);
    for (let row = 0; row < rows.count; row += 1)
      logits[row]! += treeValue(tree, rows.values, row * rows.width);
  };
  return { trees, intercept, gains, logits, grow };
}
