/**
 * Array literals of PostgreSQL. The driver's own serialization tests and escapes each element, which for tens
 * of thousands of facts takes longer than the INSERT itself.
 */

/** An array of values that need no quotes: numbers, UUIDs, values of enumerations. */
export const plainArray = (values: readonly (string | number | boolean)[]): string => `{${values.join(',')}}`;

/** Like `plainArray`; null becomes NULL. */
export const nullableArray = (values: readonly (string | number | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`;

/** An array of any text; null becomes NULL. */
export const textArray = (values: readonly (string | null)[]): string => `{${values.map(quoted).join(',')}}`;

const NEEDS_ESCAPE = /["\\]/;

function quoted(value: string | null): string {
  if (value === null) return 'NULL';
  return NEEDS_ESCAPE.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : `"${value}"`;
}
