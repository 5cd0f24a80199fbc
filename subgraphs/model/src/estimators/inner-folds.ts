import { hashOf } from '../numerics/seeded-random.ts';

/** Rows to fit and rows to compare fits on; no entity is in both. */
export interface InnerFold {
  readonly inside: Uint32Array;
  readonly outside: Uint32Array;
}

const LABELED_FOLDS = 5;

/** Divides rows into folds by a hash of their entities. */
export function innerFolds(entities: readonly string[], folds: number, seed: number): InnerFold[] {
  const foldOf = entities.map((entity) => hashOf(`${seed}:${entity}`) % folds);
  const rows = Uint32Array.from(entities, (_, row) => row);
  return Array.from({ length: folds }, (_, fold) => ({
    inside: rows.filter((row) => foldOf[row] !== fold),
    outside: rows.filter((row) => foldOf[row] === fold),
  }));
}

/** Five folds by entities, without those whose fits would see only one label. */
export const labeledFolds = (labels: Uint8Array, entities: readonly string[], seed: number): InnerFold[] =>
  innerFolds(entities, LABELED_FOLDS, seed).filter(
    ({ inside }) => inside.some((row) => labels[row] === 0) && inside.some((row) => labels[row] === 1),
  );

/** Mean of figures of rows, and its standard error for independent entities with dependent rows. */
export function clusteredMean(
  figures: ArrayLike<number>,
  entities: readonly string[],
): { mean: number; error: number } {
  let sum = 0;
  for (let row = 0; row < figures.length; row += 1) sum += figures[row]!;
  const mean = sum / figures.length;
  const byEntity = new Map<string, number>();
  entities.forEach((entity, row) => {
    byEntity.set(entity, (byEntity.get(entity) ?? 0) + figures[row]! - mean);
  });
  let squares = 0;
  for (const each of byEntity.values()) squares += each * each;
  return { mean, error: Math.sqrt(squares) / figures.length };
}

/** Returns the values of some rows, in the order given. */
export const pick = <Value>(values: ArrayLike<Value>, rows: ArrayLike<number>): Value[] =>
  Array.from(rows, (row) => values[row]!);
