import { quantileOf } from '../numerics/bootstrap.ts';
import type { FeatureRows } from '../numerics/logistic.ts';

/** Encodes raw features as columns of numbers: an empty cell gets the median, and a column that marks it. */
export interface FeatureEncoder {
  readonly medians: readonly number[];
  /** Indexes of features that were empty in training samples; each gets an indicator column. */
  readonly indicators: readonly number[];
}

/** Computes medians of training samples; 0 for a feature that is always empty there. */
export function fitEncoder({ count, width, values }: FeatureRows): FeatureEncoder {
  const columns = Array.from({ length: width }, (_, column) =>
    Float64Array.from({ length: count }, (_, row) => values[row * width + column]!)
      .filter((value) => !Number.isNaN(value))
      .sort(),
  );
  return {
    medians: columns.map((column) => (column.length === 0 ? 0 : quantileOf(column, 0.5))),
    indicators: columns.flatMap((column, place) => (column.length < count ? [place] : [])),
  };
}

/** Encodes rows: features first, then indicators of empty cells. */
export function encodeRows({ medians, indicators }: FeatureEncoder, raw: FeatureRows): FeatureRows {
  const width = medians.length + indicators.length;
  const values = new Float64Array(raw.count * width);
  for (let row = 0; row < raw.count; row += 1) {
    for (let column = 0; column < raw.width; column += 1) {
      const value = raw.values[row * raw.width + column]!;
      values[row * width + column] = Number.isNaN(value) ? medians[column]! : value;
    }
    indicators.forEach((feature, place) => {
      const isEmpty = Number.isNaN(raw.values[row * raw.width + feature]!);
      values[row * width + raw.width + place] = isEmpty ? 1 : 0;
    });
  }
  return { count: raw.count, width, values };
}

/** Returns the names of the encoded columns. */
export const encodedNames = ({ indicators }: FeatureEncoder, names: readonly string[]): string[] => [
  ...names,
  ...indicators.map((place) => `${names[place]} is empty`),
];

/** Returns some of the rows, in the order given. */
export function rowsOf({ width, values }: FeatureRows, rows: ArrayLike<number>): FeatureRows {
  const chosen = new Float64Array(rows.length * width);
  for (let place = 0; place < rows.length; place += 1)
    chosen.set(values.subarray(rows[place]! * width, (rows[place]! + 1) * width), place * width);
  return { count: rows.length, width, values: chosen };
}

/** Returns one row as a view. */
export const rowAt = ({ width, values }: FeatureRows, row: number): Float64Array =>
  values.subarray(row * width, (row + 1) * width);
