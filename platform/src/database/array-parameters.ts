/*
 * Array parameters of statements that are sent often. For a short array, PostgreSQL makes a new plan at each
 * call, which takes longer than the look-up itself. An array in a sub-select is opaque to the planner: it
 * expects ten items and keeps one plan. This suits look-ups by an index. Joins of two long arrays need the
 * true lengths.
 */

/**
 * Returns array parameters as rows, for FROM.
 *
 * @param parameters - with their types, as in `$3::uuid[], $4::int[]`; shorter ones are padded with NULL
 */
export const rowsOf = (parameters: string): string =>
  `unnest(${parameters
    .split(', ')
    .map((parameter) => `(SELECT ${parameter})`)
    .join(', ')})`;

/**
 * Returns ANY of an array parameter, for the right side of a comparison.
 *
 * @param parameter - with its type, as in `$3::uuid[]`
 */
export const anyOf = (parameter: string): string => {
  const [, type] = parameter.split('::');
  return `ANY((SELECT ${parameter})::${type})`;
};

/** Returns rows as array parameters for `unnest`, one array per property, in the order of `keys`. */
export const arraysOf = <Row, Key extends keyof Row>(
  rows: readonly Row[],
  ...keys: readonly Key[]
): Row[Key][][] => keys.map((key) => rows.map((row) => row[key]));
