import { createHash } from 'node:crypto';

const DIGITS = 12;

/**
 * Returns JSON that is the same text for the same content: keys are sorted by code unit, nothing is indented,
 * and a number is a string of at most 12 significant digits (`0.1` is `"0.1"`). Parsing and writing it again
 * gives the same text, so that stored content can be verified by its hash.
 *
 * @param value - plain data; fields that are undefined are left out
 * @throws RangeError if a number is not finite, TypeError if something is not plain data
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'number') return JSON.stringify(canonicalNumber(value));
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value);
  if (typeof value !== 'object') throw new TypeError(`${typeof value} cannot be written as JSON`);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`);
  return `{${fields.join(',')}}`;
}

/** Formats a finite number with 12 significant digits; -0 is 0. */
function canonicalNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} cannot be written as JSON`);
  const rounded = Number(value.toPrecision(DIGITS));
  return String(rounded === 0 ? 0 : rounded);
}

/** SHA-256 of a text in UTF-8, as 64 hexadecimal digits. */
export const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex');
