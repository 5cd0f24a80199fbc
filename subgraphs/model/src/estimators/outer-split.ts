import { sha256Hex } from './canonical-json.ts';
import type { Samples } from './samples.ts';

/** The samples to fit a model to and the held-out samples. */
export interface OuterSplit {
  /** Indexes of samples whose labels were complete when the held-out dates began, ascending. */
  readonly train: Uint32Array;
  /** Indexes of the samples of the held-out dates, ascending. */
  readonly test: Uint32Array;
  /** First held-out date, milliseconds since 1970; null if all dates are in both. */
  readonly testFrom: number | null;
  /** Number of samples in neither. */
  readonly dropped: number;
  /** Each held-out sample is in the test part of one fold; no entity is in both parts of a fold. */
  readonly folds: readonly { readonly train: Uint32Array; readonly test: Uint32Array }[];
}

const TEST_SHARE = 0.25;
const FOLDS = 5;
/** With fewer rows to fit to, samples are not split by time. */
const TRAIN_ROWS_MIN = 100;

/** Returns the fold of an entity, the same in every workspace. */
const foldOf = (entity: string): number => Number.parseInt(sha256Hex(entity).slice(0, 8), 16) % FOLDS;

/**
 * Holds out the latest quarter of dates. The labels of the training samples were complete before these dates
 * began, so that no label overlaps them, and each entity is predicted by a model that has not seen it. If
 * there is only one date, or too few rows would remain for fitting, samples are split by entity only.
 */
export function outerSplit(samples: Samples): OuterSplit {
  const folds = new Map(samples.entities.map((entity) => [entity, -1]));
  for (const entity of folds.keys()) folds.set(entity, foldOf(entity));
  const rows = Uint32Array.from(samples.ids, (_, row) => row);
  const dates = [...new Set(samples.asOf)].sort((one, other) => one - other);
  const testFrom = dates[Math.floor((1 - TEST_SHARE) * dates.length)]!;
  const past = rows.filter((row) => samples.labelEnd[row]! <= testFrom);
  const isByTime = dates.length > 1 && past.length >= TRAIN_ROWS_MIN;
  const train = isByTime ? past : rows;
  const test = isByTime ? rows.filter((row) => samples.asOf[row]! >= testFrom) : rows;
  const isOf = (fold: number) => (row: number) => folds.get(samples.entities[row]!) === fold;
  return {
    train,
    test,
    testFrom: isByTime ? testFrom : null,
    dropped: isByTime ? rows.length - train.length - test.length : 0,
    folds: Array.from({ length: FOLDS }, (_, fold) => ({
      train: train.filter((row) => !isOf(fold)(row)),
      test: test.filter(isOf(fold)),
    })).filter((fold) => fold.test.length > 0),
  };
}
