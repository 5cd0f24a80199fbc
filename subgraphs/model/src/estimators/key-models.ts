import { type FeatureRows, fitLogistic, type LogisticModel, predictLogistic } from '../numerics/logistic.ts';
import { lossOfChance } from '../numerics/metrics.ts';
import { rowAt, rowsOf } from './feature-encoder.ts';
import type { InnerFold } from './inner-folds.ts';
import { type InnerChoice, leastLoss } from './logistic-choice.ts';
import { CLASS_LAMBDAS } from './softmax.ts';

/** For each key of a vocabulary, 1 for each row whose basket contains it, else 0. */
export type KeyLabels = readonly Uint8Array[];

/**
 * Fits a logistic regression for each key; a key of no row or of every row gets a constant chance near 0 or
 * 1.
 */
export function fitKeyModels(rows: FeatureRows, labels: KeyLabels, lambda: number) {
  return labels.map((own) => {
    const zeros = Array.from({ length: rows.width }, () => 0);
    if (!hasBoth(own)) {
      const logit =
        Math.log((own.includes(1) ? own.length : 0) + 1) - Math.log((own.includes(1) ? 0 : own.length) + 1);
      return { means: zeros, scales: zeros.map(() => 1), weights: zeros, intercept: logit };
    }
    const { means, scales, weights, intercept } = fitLogistic(rows, own, lambda);
    return { means: [...means], scales: [...scales], weights: [...weights], intercept };
  });
}

/** Returns the chance of each key for the encoded features of one row. */
export const keyChances = (models: readonly LogisticModel[], row: ArrayLike<number>): Float64Array =>
  Float64Array.from(models, (model) => predictLogistic(model, row));

/** Chooses one penalty for all keys: the one with the least total log-loss on rows outside of the fits. */
export function chooseKeyLambda(
  rows: FeatureRows,
  labels: KeyLabels,
  folds: readonly InnerFold[],
  onKey: (done: number) => void,
): InnerChoice<number> {
  const choices = [...CLASS_LAMBDAS]
    .reverse()
    .map((setting) => ({ setting, losses: new Float64Array(rows.count) }));
  folds.forEach(({ inside, outside }, fold) => {
    const insideRows = rowsOf(rows, inside);
    labels.forEach((own, key) => {
      const insideLabels = Uint8Array.from(inside, (row) => own[row]!);
      if (hasBoth(insideLabels))
        for (const { setting, losses } of choices) {
          const model = fitLogistic(insideRows, insideLabels, setting);
          for (const row of outside)
            losses[row]! += lossOfChance(predictLogistic(model, rowAt(rows, row)), own[row]!);
        }
      onKey((fold + (key + 1) / labels.length) / folds.length);
    });
  });
  return leastLoss(choices);
}

const hasBoth = (labels: Uint8Array): boolean => labels.includes(0) && labels.includes(1);

/** Rows that are added to the observed and to the expected count of a pair. */
const LIFT_SHRINKAGE = 5;

/**
 * The lift of each pair of keys (joint occurrence relative to chance), shrunk to 1 by 5 baskets: `lifts[one *
 * keys + other]`.
 */
export function pairLifts(labels: KeyLabels): number[] {
  const rowCount = labels[0]?.length ?? 0;
  const counts = labels.map((own) => own.reduce((sum, label) => sum + label, 0));
  return labels.flatMap((one, first) =>
    labels.map((other, second) => {
      if (first === second) return 1;
      const both = one.reduce((sum, label, row) => sum + label * other[row]!, 0);
      const expected = (counts[first]! * counts[second]!) / rowCount;
      return (both + LIFT_SHRINKAGE) / (expected + LIFT_SHRINKAGE);
    }),
  );
}

/**
 * Indexes of keys that are likely together, with their score: the product of their chances and of their
 * pairs' lifts.
 */
export interface KeyCombination {
  readonly keys: readonly number[];
  readonly score: number;
}

/** Triples are formed of the likeliest keys only. */
const TRIPLE_KEYS_MAX = 12;

/** Returns the best pairs and triples of keys; equal scores are sorted by index. */
export function bestCombinations(
  chances: ArrayLike<number>,
  lifts: readonly number[],
  count: number,
): { pairs: KeyCombination[]; triples: KeyCombination[] } {
  const width = chances.length;
  const pairs: KeyCombination[] = [];
  for (let one = 0; one < width; one += 1)
    for (let other = one + 1; other < width; other += 1) {
      const score = chances[one]! * chances[other]! * lifts[one * width + other]!;
      if (isAmongBest(pairs, count, score)) insert(pairs, count, { keys: [one, other], score });
    }
  return { pairs, triples: bestTriples(chances, lifts, count) };
}

function bestTriples(chances: ArrayLike<number>, lifts: readonly number[], count: number): KeyCombination[] {
  const width = chances.length;
  const likeliest = largest(chances, TRIPLE_KEYS_MAX).sort((one, other) => one - other);
  const triples: KeyCombination[] = [];
  for (let first = 0; first < likeliest.length; first += 1)
    for (let second = first + 1; second < likeliest.length; second += 1) {
      const [one, two] = [likeliest[first]!, likeliest[second]!];
      const pair = chances[one]! * chances[two]! * lifts[one * width + two]!;
      for (let third = second + 1; third < likeliest.length; third += 1) {
        const three = likeliest[third]!;
        const score = pair * chances[three]! * lifts[one * width + three]! * lifts[two * width + three]!;
        if (isAmongBest(triples, count, score)) insert(triples, count, { keys: [one, two, three], score });
      }
    }
  return triples;
}

const isAmongBest = (best: readonly KeyCombination[], count: number, score: number): boolean =>
  best.length < count || score > best[count - 1]!.score;

/** Inserts into the sorted best ones, after equal scores. */
function insert(best: KeyCombination[], count: number, found: KeyCombination): void {
  const place = best.findIndex(({ score }) => found.score > score);
  best.splice(place === -1 ? best.length : place, 0, found);
  if (best.length > count) best.pop();
}

/** Returns the indexes of the largest numbers, largest first; equal numbers by index. */
export const largest = (numbers: ArrayLike<number>, count: number): number[] =>
  Array.from({ length: numbers.length }, (_, place) => place)
    .sort((one, other) => numbers[other]! - numbers[one]! || one - other)
    .slice(0, count);

/** Keys that are frequent enough for a prediction of each. */
export type Vocabulary = readonly string[];

const ROWS_MIN = 20;

const ENTITIES_MIN = 15;

const KEYS_MAX = 50;

/**
 * Returns at most 50 keys with at least 20 rows and 15 entities, the most frequent first, equal ones by name.
 */
export function vocabularyOf(rows: readonly { readonly keys: readonly string[]; readonly entity: string }[]) {
  const found = new Map<string, { rows: number; entities: Set<string> }>();
  for (const { keys, entity } of rows) {
    for (const key of keys) {
      const known = found.get(key) ?? { rows: 0, entities: new Set<string>() };
      known.rows += 1;
      known.entities.add(entity);
      found.set(key, known);
    }
  }
  return [...found]
    .filter(([, each]) => each.rows >= ROWS_MIN && each.entities.size >= ENTITIES_MIN)
    .sort(([one, ofOne], [other, ofOther]) => ofOther.rows - ofOne.rows || (one < other ? -1 : 1))
    .slice(0, KEYS_MAX)
    .map(([key]) => key) satisfies Vocabulary;
}

/** Number of keys in a recommendation: 5, fewer for a small vocabulary. */
export const recommendedCount = (keys: number): number => Math.min(5, Math.max(1, Math.floor(keys / 3)));
