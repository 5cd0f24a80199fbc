import { DAY_MS } from '@loyalty/platform/base/clock';
import { sha256Hex } from '../estimators/canonical-json.ts';
import { ALIGNMENT_CODE_VERSION } from './alignment-artifact.ts';

/** Indexes of rows to fit to and of held-out rows, ascending. */
export interface HeadSplit {
  readonly train: Uint32Array;
  readonly test: Uint32Array;
}

const FOLDS = 5;
const LATEST_SHARE = 0.25;
const HORIZONS_MIN = 2;
/** With fewer rows to fit to, samples are not split by time. */
const TRAIN_ROWS_MIN = 200;

/** Returns the fold of an entity, 0 to 4, the same in every workspace. */
export const headFoldOf = (entity: string): number =>
  Number.parseInt(sha256Hex(`${entity}|${ALIGNMENT_CODE_VERSION}`).slice(0, 8), 16) % FOLDS;

/** Returns 5 folds; no entity is in both parts of a fold. */
export function outerFolds(entities: readonly string[]): HeadSplit[] {
  const foldOf = entities.map(headFoldOf);
  const rows = Uint32Array.from(entities, (_, row) => row);
  return Array.from({ length: FOLDS }, (_, fold) => ({
    train: rows.filter((row) => foldOf[row] !== fold),
    test: rows.filter((row) => foldOf[row] === fold),
  })).filter(({ test }) => test.length > 0);
}

/**
 * Holds out the latest quarter of the samples; the rows to fit to are those whose labels were complete before
 * it began. Null if the dates span less than two horizons or too few rows would remain for fitting.
 *
 * @param samples - sorted by date
 * @param horizon - days
 */
export function latestSplit(
  { asOf, labelEnd }: { readonly asOf: Float64Array; readonly labelEnd: Float64Array },
  horizon: number,
): HeadSplit | null {
  if (asOf.at(-1)! - asOf[0]! < HORIZONS_MIN * horizon * DAY_MS) return null;
  const from = asOf[Math.floor((1 - LATEST_SHARE) * asOf.length)]!;
  const rows = Uint32Array.from(asOf, (_, row) => row);
  const train = rows.filter((row) => labelEnd[row]! <= from);
  return train.length < TRAIN_ROWS_MIN ? null : { train, test: rows.filter((row) => asOf[row]! >= from) };
}
