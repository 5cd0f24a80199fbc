const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

/**
 * Returns an integer from 0 below 2^32 that depends only on the texts, so that data and faults are
 * reproducible.
 */
export function hashOf(...texts: readonly (string | number)[]): number {
  let hash = OFFSET;
  for (const text of texts) {
    for (const char of `${text};`) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), PRIME);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** JSON with sorted keys: equal for equal values. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  ) ?? 'undefined';
