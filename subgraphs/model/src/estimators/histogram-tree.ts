import type { FeatureRows } from '../numerics/logistic.ts';

/** Columns of features in at most 64 bins each, column by column. */
export interface BinnedRows {
  readonly count: number;
  readonly width: number;
  /** `bins[column * count + row]`. */
  readonly bins: Uint8Array;
  /**
   * Ascending upper limits of the bins of each column: a value is in the first bin whose limit it does not
   * exceed.
   */
  readonly limits: readonly Float64Array[];
}

/**
 * A tree as lists of its nodes, the root first. A row goes left if the feature is at most the threshold. A
 * leaf has feature -1 and a value that is added to the logit.
 */
export interface RegressionTree {
  readonly features: readonly number[];
  readonly thresholds: readonly number[];
  readonly lefts: readonly number[];
  readonly rights: readonly number[];
  readonly values: readonly number[];
}

const BINS_MAX = 64;
const DEPTH_MAX = 3;
const LEAF_ROWS_MIN = 20;
/** L2 penalty of leaf values. */
const LEAF_PENALTY = 1;
const GAIN_MIN = 1e-9;
/** Numbers per bin of a histogram. */
const SUMS = 3;

/** Divides columns into bins of equal numbers of rows; a frequent value has its own bin. */
export function binnedRows({ count, width, values }: FeatureRows): BinnedRows {
  const bins = new Uint8Array(count * width);
  const limits = Array.from({ length: width }, (_, column) => {
    const cells = Float64Array.from({ length: count }, (_, row) => values[row * width + column]!);
    const own = limitsOf(Float64Array.from(cells).sort());
    for (let row = 0; row < count; row += 1) bins[column * count + row] = binOf(own, cells[row]!);
    return own;
  });
  return { count, width, bins, limits };
}

/** Limits half-way between neighbouring values, at most 63. */
function limitsOf(ascending: Float64Array): Float64Array {
  const limits: number[] = [];
  const count = ascending.length;
  for (let bin = 1; bin < BINS_MAX; bin += 1) {
    const place = Math.floor((bin * count) / BINS_MAX);
    const value = ascending[Math.max(place - 1, 0)]!;
    let next = place;
    while (next < count && ascending[next] === value) next += 1;
    if (next >= count) break;
    const limit = value + (ascending[next]! - value) / 2;
    if (limits.length === 0 || limit > limits.at(-1)!) limits.push(limit);
  }
  return Float64Array.from(limits);
}

function binOf(limits: Float64Array, value: number): number {
  let [low, high] = [0, limits.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value <= limits[middle]!) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Sums of gradients, curvatures and rows of each bin: `sums[(column * 64 + bin) * 3 + which]`. */
type Histogram = Float64Array<ArrayBuffer>;

interface GrownNode {
  readonly rows: Uint32Array;
  readonly depth: number;
  readonly place: number;
  /** Null for a node that is not split further. */
  readonly histogram: Histogram | null;
}

interface ChosenSplit {
  readonly gain: number;
  readonly column: number;
  readonly bin: number;
}

/**
 * Grows a tree of depth 3 at most by Newton's method.
 *
 * @param slopes - label minus chance of each row
 * @param curvatures - chance * (1 - chance) of each row
 * @param rate - factor of leaf values
 * @param gains - receives the gain of each split at its column
 */
export function growTree(
  binned: BinnedRows,
  rows: Uint32Array,
  target: TreeTarget,
  rate: number,
  gains: Float64Array,
): RegressionTree {
  const tree = { features: [-1], thresholds: [0], lefts: [0], rights: [0], values: [0] };
  const open: GrownNode[] = [{ rows, depth: 0, place: 0, histogram: histogramOf(binned, rows, target) }];
  for (let node = open.pop(); node; node = open.pop()) {
    const split = node.histogram ? bestSplit(binned, node.histogram, node.rows.length) : null;
    if (!split) {
      tree.values[node.place] = rate * leafValue(node.rows, target);
      continue;
    }
    gains[split.column]! += split.gain;
    tree.features[node.place] = split.column;
    tree.thresholds[node.place] = binned.limits[split.column]![split.bin]!;
    const [left, right] = sidesOf(binned, node.rows, split);
    const histograms = node.depth + 1 < DEPTH_MAX ? childHistograms(binned, node, [left, right], target) : [];
    for (const [side, [sides, own]] of [
      [tree.lefts, left] as const,
      [tree.rights, right] as const,
    ].entries()) {
      const place = tree.features.length;
      sides[node.place] = place;
      tree.features.push(-1);
      for (const list of [tree.thresholds, tree.lefts, tree.rights, tree.values]) list.push(0);
      open.push({ rows: own, depth: node.depth + 1, place, histogram: histograms[side] ?? null });
    }
  }
  return tree;
}

function sidesOf({ count, bins }: BinnedRows, rows: Uint32Array, { column, bin }: ChosenSplit) {
  const isLeft = (row: number) => bins[column * count + row]! <= bin;
  return [rows.filter(isLeft), rows.filter((row) => !isLeft(row))] as const;
}

/** Only the smaller child is summed; the other one is the difference to the node. */
function childHistograms(
  binned: BinnedRows,
  { histogram }: GrownNode,
  [left, right]: readonly [Uint32Array, Uint32Array],
  target: TreeTarget,
): readonly [Histogram, Histogram] {
  const isLeftSmaller = left.length <= right.length;
  const smaller = histogramOf(binned, isLeftSmaller ? left : right, target);
  const rest = Float64Array.from(histogram!);
  for (let place = 0; place < rest.length; place += 1) rest[place]! -= smaller[place]!;
  return isLeftSmaller ? [smaller, rest] : [rest, smaller];
}

interface TreeTarget {
  readonly slopes: Float64Array;
  readonly curvatures: Float64Array;
}

function leafValue(rows: Uint32Array, { slopes, curvatures }: TreeTarget): number {
  let [slope, curvature] = [0, 0];
  for (const row of rows) {
    slope += slopes[row]!;
    curvature += curvatures[row]!;
  }
  return slope / (curvature + LEAF_PENALTY);
}

function histogramOf(
  { count, width, bins, limits }: BinnedRows,
  rows: Uint32Array,
  { slopes, curvatures }: TreeTarget,
): Histogram {
  const sums = new Float64Array(width * BINS_MAX * SUMS);
  for (let column = 0; column < width; column += 1) {
    if (limits[column]!.length === 0) continue;
    const [start, own] = [column * count, column * BINS_MAX];
    for (let place = 0; place < rows.length; place += 1) {
      const row = rows[place]!;
      const at = (own + bins[start + row]!) * SUMS;
      sums[at]! += slopes[row]!;
      sums[at + 1]! += curvatures[row]!;
      sums[at + 2]! += 1;
    }
  }
  return sums;
}

/** The split with the largest gain; null if none gains or a child would have fewer than 20 rows. */
function bestSplit({ width, limits }: BinnedRows, sums: Histogram, rowCount: number): ChosenSplit | null {
  if (rowCount < 2 * LEAF_ROWS_MIN) return null;
  let best: ChosenSplit | null = null;
  for (let column = 0; column < width; column += 1) {
    const size = limits[column]!.length + 1;
    const split = size > 1 ? bestBin(sums, column * BINS_MAX * SUMS, size, rowCount) : null;
    if (split && split.gain > (best?.gain ?? GAIN_MIN)) best = { ...split, column };
  }
  return best;
}

/** The best split of the column whose sums begin at `start`. */
function bestBin(
  sums: Histogram,
  start: number,
  size: number,
  rowCount: number,
): { gain: number; bin: number } | null {
  let [slope, curvature] = [0, 0];
  for (let at = start; at < start + size * SUMS; at += SUMS) {
    slope += sums[at]!;
    curvature += sums[at + 1]!;
  }
  const scoreOf = (sum: number, weight: number) => (sum * sum) / (weight + LEAF_PENALTY);
  const whole = scoreOf(slope, curvature);
  let [left, leftCurvature, leftRows] = [0, 0, 0];
  let best: { gain: number; bin: number } | null = null;
  for (let bin = 0; bin < size - 1; bin += 1) {
    const at = start + bin * SUMS;
    left += sums[at]!;
    leftCurvature += sums[at + 1]!;
    leftRows += sums[at + 2]!;
    if (leftRows < LEAF_ROWS_MIN) continue;
    if (rowCount - leftRows < LEAF_ROWS_MIN) break;
    const gain = scoreOf(left, leftCurvature) + scoreOf(slope - left, curvature - leftCurvature) - whole;
    if (gain > (best?.gain ?? 0)) best = { gain, bin };
  }
  return best;
}

/** Returns the tree's addition to the logit of the row that begins at `start`. */
export function treeValue(tree: RegressionTree, values: ArrayLike<number>, start = 0): number {
  const { features, thresholds, lefts, rights } = tree;
  let node = 0;
  while (features[node]! >= 0)
    node = values[start + features[node]!]! <= thresholds[node]! ? lefts[node]! : rights[node]!;
  return tree.values[node]!;
}
