import { type FeatureRows, fitLogistic, type LogisticModel, predictLogistic } from '../numerics/logistic.ts';
import { lossOfChance } from '../numerics/metrics.ts';
import { rowAt, rowsOf } from './feature-encoder.ts';
import type { InnerFold } from './inner-folds.ts';
import { type InnerChoice, leastLoss } from './logistic-choice.ts';
import { CLASS_LAMBDAS } from './softmax.ts';

/** For each key of a vocabulary, rows whose basket has it: 0 or 1 for each row. */
export type KeyLabels = readonly Uint8Array[];

/** A logistic regression for each key; one that no row or every row has gets a chance near 0 or 1 for all. */
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

/** Chance of each key for the encoded features of one row. */
export const keyChances = (models: readonly LogisticModel[], row: ArrayLike<number>): Float64Array =>
  Float64Array.from(models, (model) => predictLogistic(model, row));

/** One penalty for all keys, with the least log-loss over them on rows outside of the fits. */
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

/** Rows that are added to what is counted and to what is expected of a pair. */
const LIFT_SHRINKAGE = 5;

/**
 * How much more often two keys occur together than by chance, shrunk to 1 by 5 baskets:
 * `lifts[one * keys + other]`.
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

/** Places of keys that fit together, and how well: the product of their chances and of their pairs' lifts. */
export interface KeyCombination {
  readonly keys: readonly number[];
  readonly score: number;
}

/** Combinations of three are sought among the likeliest keys only. */
const TRIPLE_KEYS_MAX = 12;

/** The best combinations of two and of three keys; of equal scores the first by places. */
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

/** Keeps the best ones in their order; one that is equal to another comes after it. */
function insert(best: KeyCombination[], count: number, found: KeyCombination): void {
  const place = best.findIndex(({ score }) => found.score > score);
  best.splice(place === -1 ? best.length : place, 0, found);
  if (best.length > count) best.pop();
}

/** Places of the largest numbers, the largest first; of equal ones the first. */
export const largest = (numbers: ArrayLike<number>, count: number): number[] =>
  Array.from({ length: numbers.length }, (_, place) => place)
    .sort((one, other) => numbers[other]! - numbers[one]! || one - other)
    .slice(0, count);

/** Keys that are frequent enough to be predicted one by one. */
export type Vocabulary = readonly string[];

const ROWS_MIN = 20;

const ENTITIES_MIN = 15;

const KEYS_MAX = 50;

/** At most 50 keys with at least 20 rows and 15 entities, the most frequent first, equal ones by name. */
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

/** How many keys a recommendation names: 5, fewer where the vocabulary is small. */
export const recommendedCount = (keys: number): number => Math.min(5, Math.max(1, Math.floor(keys / 3)));
