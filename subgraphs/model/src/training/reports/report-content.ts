type Content = Readonly<Record<string, unknown>>;

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** A report as plain data; its numbers, which are texts in canonical JSON, are numbers. */
export const contentOf = ({ report }: { readonly report: string }): Content =>
  objectOf(asNumbers(JSON.parse(report)));

/** The object that a field holds; an empty one where it holds none. */
export const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

/** The objects of a list that a field holds. */
export const objectsOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.map(objectOf) : [];

/** The number that a field holds; null where it holds none. */
export const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

function asNumbers(value: unknown): unknown {
  if (typeof value === 'string') return NUMBER.test(value) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(asNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, asNumbers(one)]));
}
