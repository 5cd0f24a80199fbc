import { hasControlCharacters } from '@loyalty/platform/base/input';
import { z } from 'zod';
import { CURRENT_VERSION, STANDARD_VERSIONS } from '../standard-model/standard-versions.ts';

// Each kind of argument has one rule, which completes a sentence that begins with the argument's name.

/**
 * The id of a member, run or record of this service; converted to lower case, as the database returns ids.
 */
export const id = z.guid({ error: 'must be a UUID' }).toLowerCase();

export function whole(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

const shareRule = { error: 'must be a number from 0 to 1' };
export const share = z.number(shareRule).min(0, shareRule).max(1, shareRule);

/** A word that the workspace defines, with at most this many characters. */
export function word(lengthMax: number) {
  const error = `must be text of 1 to ${lengthMax} characters without control characters`;
  return z
    .string({ error })
    .trim()
    .min(1, { error })
    .max(lengthMax, { error })
    .refine((text) => isStorable(text), { error });
}

/** A list of one to this many items; an error names the index of the first invalid item. */
export function list<Item extends z.ZodType>(of: Item, sizeMax: number) {
  const error = `must be a list of 1 to ${sizeMax}`;
  return z.array(of, { error }).min(1, { error }).max(sizeMax, { error });
}

const instantRule = { error: 'must be a time since 1970 with its zone, such as 2026-03-02T10:00:00Z' };
export const instant = z.iso
  .datetime({ offset: true, ...instantRule })
  .refine((text) => Date.parse(text) >= 0, instantRule)
  .transform((text) => new Date(text));

/** A version of the standard model. */
export const modelVersion = z
  .enum(STANDARD_VERSIONS, { error: `must be ${STANDARD_VERSIONS.join(' or ')}` })
  .optional()
  .describe(`The version of the standard model. Default: ${CURRENT_VERSION}.`);

export const amount = z.number({ error: 'must be a number' });

const DETAILS_BYTES_MAX = 4_096;
const DEPTH_MAX = 16;

/** JSON of any content, of limited size and depth. */
export const details = z
  .record(z.string(), z.unknown(), { error: 'must be an object' })
  .refine((value) => isStorable(value, DEPTH_MAX), {
    error: `must be at most ${DEPTH_MAX} levels deep and hold no control characters`,
    abort: true,
  })
  .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= DETAILS_BYTES_MAX, {
    error: `must be at most ${DETAILS_BYTES_MAX} bytes of JSON`,
  });

/** PostgreSQL's jsonb accepts neither NUL nor half of a surrogate pair. */
function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !hasControlCharacters(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  return Object.entries(value).every(([key, held]) => isStorable(key) && isStorable(held, depth - 1));
}

/** The object of all arguments of a capability; any other argument is refused. */
export const only = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? undefined : 'must be an object'),
  });
