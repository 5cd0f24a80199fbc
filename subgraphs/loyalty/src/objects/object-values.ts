import { checkEmail } from '@loyalty/platform/base/email';
import { invalid } from '@loyalty/platform/base/errors';
import { isUuid } from '@loyalty/platform/base/ids';
import { hasControlCharacters } from '@loyalty/platform/base/input';
import { aNumber, inputRule, lengthAtMost, oneOf } from '@loyalty/platform/base/input-rules';
import { type CustomFieldType, checkValue, TEXT_LENGTH_MAX } from '../fields/custom-values.ts';
import type { ObjectField } from './object-types.store.ts';

/** A value as it is stored. */
export type RecordValue = string | number | boolean | readonly string[];

const ITEMS_MAX = 200;
const ITEM_LENGTH_MAX = 100;
const INSTANT = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?([Zz]|[+-]\d{2}:\d{2})$/;
const NUMERIC = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;

type Definition = Pick<ObjectField, 'type' | 'options'>;

/**
 * Returns one value in its stored form. Only the form of references is checked.
 *
 * @throws AppError VALIDATION_FAILED, SENSITIVE_VALUE (400)
 */
export function checkRecordValue(path: string, field: Definition, value: unknown): RecordValue {
  switch (field.type) {
    case 'ENUM':
      if (typeof value === 'string' && field.options.includes(value)) return value;
      throw invalid(path, oneOf(field.options));
    case 'LIST':
      return checkList(path, field.options, value);
    case 'DATETIME':
      return checkInstant(path, value);
    case 'URL':
      return checkUrl(path, value);
    case 'EMAIL':
      return checkEmail(path, checkString(path, value));
    case 'MEMBER_REF':
      return checkId(path, value, 'must be the id of a member');
    case 'RECORD_REF':
      return checkId(path, value, 'must be the id of a record of the type that it refers to');
    default:
      return checkValue(path, plainDefinition(field.type), value) as RecordValue;
  }
}

/**
 * Converts a value of a query, which may be text, to the field's type: `3` is a number in a NUMBER field, and
 * one item of a list stands for all lists that contain it.
 *
 * @throws AppError VALIDATION_FAILED (400)
 */
export function readFilterValue(path: string, field: Definition, value: unknown): RecordValue {
  if (field.type === 'LIST' && !Array.isArray(value)) return checkRecordValue(path, field, [value]);
  if (field.type === 'NUMBER' && typeof value === 'string' && !NUMERIC.test(value))
    throw invalid(path, aNumber);
  if (field.type === 'BOOLEAN' && (value === 'true' || value === 'false')) return value === 'true';
  return checkRecordValue(path, field, value);
}

const plainDefinition = (type: CustomFieldType) => ({ key: '', type, options: [], archivedAt: null });

function checkString(path: string, value: unknown): string {
  const text = checkValue(path, plainDefinition('TEXT'), value);
  return text as string;
}

/** A list has each item once; if the field has options, in the order of the options. */
function checkList(path: string, options: readonly string[], value: unknown): readonly string[] {
  if (options.length > 0) {
    const isKnown = (item: unknown) => typeof item === 'string' && options.includes(item);
    if (!Array.isArray(value) || !value.every(isKnown))
      throw invalid(path, `must be an array of some of ${options.join(', ')}`);
    return options.filter((option) => value.includes(option));
  }
  if (!Array.isArray(value) || value.length > ITEMS_MAX)
    throw invalid(path, `must be an array of at most ${ITEMS_MAX} strings`);
  const items = value.map((item, index) => {
    const text = checkString(`${path}[${index}]`, item);
    if (text.length > ITEM_LENGTH_MAX) throw invalid(`${path}[${index}]`, lengthAtMost(ITEM_LENGTH_MAX));
    return text;
  });
  return [...new Set(items)];
}

function checkInstant(path: string, value: unknown): string {
  const fault = () => invalid(path, inputRule('INSTANT', 'must be an instant such as 2026-11-21T09:30:00Z'));
  if (typeof value !== 'string' || !INSTANT.test(value)) throw fault();
  // The parser refuses a day that does not exist, or reads it as one of the next month.
  checkValue(path, plainDefinition('DATE'), value.slice(0, 10));
  const instant = new Date(value);
  if (Number.isNaN(instant.getTime())) throw fault();
  return instant.toISOString();
}

function checkUrl(path: string, value: unknown): string {
  const text = checkString(path, value);
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (!isWeb || text.length > TEXT_LENGTH_MAX || /\s/.test(text) || hasControlCharacters(text))
    throw invalid(path, inputRule('WEB_ADDRESS', 'must be an absolute http or https address'));
  return text;
}

function checkId(path: string, value: unknown, rule: string): string {
  if (typeof value !== 'string' || !isUuid(value)) throw invalid(path, rule);
  return value.toLowerCase();
}
