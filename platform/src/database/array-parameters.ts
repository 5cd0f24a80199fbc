/*
 * Array parameters of statements that are sent often. PostgreSQL looks how long a given array is: for a short
 * one it makes a plan of its own, again at each call, which takes longer than the look-up itself. It does not
 * look into a sub-select: it expects ten items, and keeps one plan. This suits look-ups by an index. Joins of
 * two long arrays need the true lengths.
 */

/**
 * Array parameters as rows, for FROM.
 *
 * @param parameters - with their types, as in `$3::uuid[], $4::int[]`; shorter ones are filled up with NULL
 */
export const rowsOf = (parameters: string): string =>
  `unnest(${parameters
    .split(', ')
    .map((parameter) => `(SELECT ${parameter})`)
    .join(', ')})`;

/**
 * Any item of an array parameter, for the right side of a comparison.
 *
 * @param parameter - with its type, as in `$3::uuid[]`
 */
export const anyOf = (parameter: string): string => {
  const [, type] = parameter.split('::');
  return `ANY((SELECT ${parameter})::${type})`;
};

/**
 * Rows as array parameters, one for each property, in the order of their names: `unnest` makes rows of them.
 */
export const arraysOf = <Row, Key extends keyof Row>(
  rows: readonly Row[],
  ...keys: readonly Key[]
): Row[Key][][] => keys.map((key) => rows.map((row) => row[key]));
