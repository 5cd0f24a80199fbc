/**
 * Arrays as PostgreSQL reads them. The driver's own way tests and escapes each element, which for tens of
 * thousands of facts takes longer than writing them.
 */

/** Of what needs no quotes: numbers, UUIDs, values of enumerations. */
export const plainArray = (values: readonly (string | number | boolean)[]): string => `{${values.join(',')}}`;

/** As `plainArray`; null is NULL. */
export const nullableArray = (values: readonly (string | number | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`;

/** Of any text; null is NULL. */
export const textArray = (values: readonly (string | null)[]): string => `{${values.map(quoted).join(',')}}`;

const NEEDS_ESCAPE = /["\\]/;

function quoted(value: string | null): string {
  if (value === null) return 'NULL';
  return NEEDS_ESCAPE.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : `"${value}"`;
}
