import { type AppError, invalid } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { hasControlCharacters } from '@loyalty/platform/base/input';
import {
  aNumber,
  aString,
  between,
  inputRule,
  lengthAtMost,
  noControlCharacters,
  trueOrFalse,
} from '@loyalty/platform/base/input-rules';
import { looksSensitive } from './sensitive-data.ts';

export type CustomFieldType = 'TEXT' | 'NUMBER' | 'DATE' | 'BOOLEAN' | 'ENUM' | 'LIST';

/** The definition against which a value is checked. */
export interface FieldDefinition {
  readonly key: string;
  readonly type: CustomFieldType;
  /** Allowed values of ENUM and LIST. */
  readonly options: readonly string[];
  /** Archived fields keep their values and refuse new ones. */
  readonly archivedAt: Date | null;
}

/** A value as it is stored. */
type CustomValue = string | number | boolean | readonly string[];

/** Checked attributes of one write: values to set, and keys to drop. */
export interface CheckedAttributes {
  readonly set: Readonly<Record<string, CustomValue>>;
  readonly cleared: readonly string[];
}

/** A machine name of a field. */
export const FIELD_KEY = /^[a-z][a-z0-9_]{0,62}$/;
export const TEXT_LENGTH_MAX = 2_000;
const NUMERIC = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const PRINTABLE_KEY = /^\w{1,63}$/;

/**
 * Checks attributes against the workspace's fields, all or nothing: one invalid key refuses the whole write.
 *
 * @param path - of the argument, for errors: `input.customAttributes`
 * @param attributes - values by field key; null clears
 * @throws AppError UNKNOWN_CUSTOM_FIELD, VALIDATION_FAILED, SENSITIVE_VALUE (400), naming every wrong key
 * @remarks Source: v2 REST API, section 2 "Custom member field definition"
 */
export function checkCustomValues(
  path: string,
  definitions: readonly FieldDefinition[],
  attributes: Readonly<Record<string, unknown>>,
): CheckedAttributes {
  const byKey = new Map(definitions.map((definition) => [definition.key, definition]));
  const set: Record<string, CustomValue> = {};
  const cleared: string[] = [];
  return gathered((check) => {
    for (const [key, value] of Object.entries(attributes)) {
      check(() => {
        const definition = byKey.get(key);
        if (!definition) throw unknownField(path, key);
        if (definition.archivedAt)
          throw invalid(`${path}.${key}`, 'is archived and takes no values', 'CUSTOM_FIELD_ARCHIVED');
        if (value === null || value === undefined) cleared.push(key);
        else set[key] = checkValue(`${path}.${key}`, definition, value);
      });
    }
    return { set, cleared };
  });
}

/** Text that is not a valid key is not repeated: it may be personal data. */
function unknownField(path: string, key: string): AppError {
  const field = PRINTABLE_KEY.test(key) ? `${path}.${key}` : path;
  return invalid(
    field,
    'names a field that does not exist; an admin defines fields in the back office',
    'UNKNOWN_CUSTOM_FIELD',
  );
}

/**
 * Returns one value in its stored form.
 *
 * @throws AppError VALIDATION_FAILED, SENSITIVE_VALUE (400)
 */
export function checkValue(path: string, { type, options }: FieldDefinition, value: unknown): CustomValue {
  switch (type) {
    case 'TEXT':
      return checkTextValue(path, value);
    case 'NUMBER':
      return checkNumber(path, value);
    case 'DATE':
      return checkDay(path, value);
    case 'BOOLEAN':
      if (typeof value !== 'boolean') throw invalid(path, trueOrFalse);
      return value;
    case 'ENUM':
      return checkOption(path, options, value);
    case 'LIST':
      return checkList(path, options, value);
  }
}

function checkTextValue(path: string, value: unknown): string {
  if (typeof value !== 'string') throw invalid(path, aString);
  if (value.length > TEXT_LENGTH_MAX) throw invalid(path, lengthAtMost(TEXT_LENGTH_MAX));
  // PostgreSQL's jsonb accepts neither NUL nor half of a surrogate pair.
  if (hasControlCharacters(value) || !value.isWellFormed()) throw invalid(path, noControlCharacters);
  return refuseSensitive(path, value);
}

function checkNumber(path: string, value: unknown): number {
  const spelled = typeof value === 'string' && NUMERIC.test(value);
  const number = spelled ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) throw invalid(path, aNumber);
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER) {
    throw invalid(path, between(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER));
  }
  refuseSensitive(path, String(number));
  // JSON has no negative zero.
  return number === 0 ? 0 : number;
}

function checkDay(path: string, value: unknown): string {
  const fault = () => invalid(path, inputRule('DAY', 'must be a day of the calendar, YYYY-MM-DD'));
  if (typeof value !== 'string' || !DAY.test(value)) throw fault();
  const date = new Date(`${value}T00:00:00.000Z`);
  // The parser refuses a day that does not exist, or reads it as one of the next month.
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== value) throw fault();
  return value;
}

function checkOption(path: string, options: readonly string[], value: unknown): string {
  if (typeof value !== 'string' || !options.includes(value))
    throw invalid(path, inputRule('ONE_OF', "must be one of the field's options"));
  return value;
}

/** A list is a set: each option once, in the order of the options. */
function checkList(path: string, options: readonly string[], value: unknown): readonly string[] {
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string' && options.includes(item))) {
    throw invalid(path, inputRule('ONE_OF', "must be an array of the field's options"));
  }
  return options.filter((option) => value.includes(option));
}

function refuseSensitive(path: string, text: string): string {
  if (looksSensitive(text)) {
    throw invalid(
      path,
      'looks like a payment card or social security number, which is not kept here',
      'SENSITIVE_VALUE',
    );
  }
  return text;
}
