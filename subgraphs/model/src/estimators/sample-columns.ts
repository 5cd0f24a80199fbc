import type { FeatureRows } from '../numerics/logistic.ts';
import type { SampleRow } from './sample-table.ts';
import type { SampleIssue } from './training-request.ts';

/** Columns that every file of samples must have. */
export const REQUIRED = ['sample_id', 'entity_id', 'as_of', 'label_end', 'target'] as const;

const FEATURE = /^f_[A-Za-z0-9_.-]{1,62}$/;
const FEATURES_MAX = 64;
/** Keeps sums of squares and products over a whole file finite. */
const FEATURE_MAX = 1e100;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?$/;

/** Whether the column is a feature by its name, even a malformed one. */
export const isFeature = (column: string): boolean => column.startsWith('f_');

/** Returns the issues of a header. */
export function sampleColumns(header: readonly string[]): { issues: readonly SampleIssue[] } {
  const features = header.filter(isFeature);
  const issueOf = (column: string, message: string): SampleIssue => ({ row: 0, column, message });
  const issues = [
    ...REQUIRED.filter((name) => !header.includes(name)).map((name) => issueOf(name, 'is missing')),
    ...header
      .filter((name, place) => header.indexOf(name) < place)
      .map((name) => issueOf(name, 'occurs twice')),
    ...header
      .filter((name) => !isFeature(name) && !(REQUIRED as readonly string[]).includes(name))
      .map((name) => issueOf(name, 'is not known: features are called f_<name>')),
    ...features
      .filter((name) => !FEATURE.test(name))
      .map((name) => issueOf(name, 'must be f_ and 1 to 62 letters, digits or _ . -')),
  ];
  if (features.length < 1 || features.length > FEATURES_MAX)
    issues.push(issueOf('f_', `has ${features.length} columns, 1 to ${FEATURES_MAX} are needed`));
  return { issues };
}

/** Returns the numbers of the features, NaN for an empty cell, and their issues. */
export function featureColumns(
  rows: readonly SampleRow[],
  names: readonly string[],
  header: readonly string[],
): [FeatureRows, SampleIssue[]] {
  const values = new Float64Array(rows.length * names.length);
  const issues: SampleIssue[] = [];
  names.forEach((name, place) => {
    const column = header.indexOf(name);
    let [least, greatest, isMissing, isBad] = [
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      false,
      false,
    ];
    rows.forEach(({ row, cells }, index) => {
      const value = readNumber(cells[column]!);
      values[index * names.length + place] = value ?? Number.NaN;
      if (value === null || Math.abs(value) > FEATURE_MAX) {
        const message =
          value === null ? 'must be a finite number or empty' : 'must be between -1e100 and 1e100';
        issues.push({ row, column: name, message });
        isBad = true;
      } else if (Number.isNaN(value)) isMissing = true;
      else [least, greatest] = [Math.min(least, value), Math.max(greatest, value)];
    });
    const isConstant = !isBad && (greatest < least || (greatest === least && !isMissing));
    if (isConstant) issues.push({ row: 0, column: name, message: 'is the same in all rows' });
  });
  return [{ count: rows.length, width: names.length, values }, issues];
}

/** NaN for an empty cell, null if the cell is not a finite number. */
function readNumber(cell: string): number | null {
  if (cell === '') return Number.NaN;
  const value = NUMBER.test(cell) ? Number(cell) : Number.NaN;
  return Number.isFinite(value) ? value : null;
}
