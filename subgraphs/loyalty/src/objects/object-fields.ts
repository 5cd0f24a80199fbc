import { invalid } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { checkText } from '@loyalty/platform/base/input';
import { distinct, from1To } from '@loyalty/platform/base/input-rules';
import { FIELD_KEY } from '../fields/custom-values.ts';
import { asksForSensitive, looksSensitive } from '../fields/sensitive-data.ts';
import type { ObjectField, ObjectFieldType } from './object-types.store.ts';
import { checkRecordValue } from './object-values.ts';

const OPTIONS_MAX = 200;
const OPTION_LENGTH_MAX = 100;
const KEY_RULE = 'must be a lower-case letter, then up to 62 lower-case letters, digits and underscores';

export interface ObjectFieldInput {
  readonly key: string;
  readonly label?: string | null | undefined;
  readonly type: ObjectFieldType;
  readonly required?: boolean | null | undefined;
  readonly options?: readonly string[] | null | undefined;
  readonly refType?: string | null | undefined;
  readonly defaultValue?: unknown;
}

/**
 * Checks the machine name of a type or a field.
 *
 * @throws AppError VALIDATION_FAILED, SENSITIVE_FIELD (400)
 */
export function checkMachineName(path: string, name: string): string {
  if (!FIELD_KEY.test(name)) throw invalid(path, KEY_RULE);
  return refuseSensitive(path, name);
}

/** @throws AppError VALIDATION_FAILED, SENSITIVE_FIELD (400) */
export const checkLabel = (path: string, text: string): string =>
  refuseSensitive(path, checkText(path, text, 100));

/**
 * Checks a field.
 *
 * @param path - of the field, for errors: `field` or `input.fields[0]`
 * @throws AppError VALIDATION_FAILED, SENSITIVE_FIELD (400)
 */
export function checkField(path: string, input: ObjectFieldInput): ObjectField {
  const { type } = input;
  const field = gathered((check) => ({
    key: check(() => checkMachineName(`${path}.key`, input.key)),
    label: check(() => checkLabel(`${path}.label`, input.label ?? input.key)),
    type,
    isRequired: input.required ?? false,
    options: check(() => checkOptions(`${path}.options`, type, input.options ?? [])),
    refType: input.refType ?? null,
    defaultValue: null,
  }));
  if ((type === 'RECORD_REF') !== (field.refType !== null))
    throw invalid(`${path}.refType`, 'names the type that a RECORD_REF refers to, and belongs to no other');
  const defaultValue = input.defaultValue ?? null;
  if (defaultValue === null) return field;
  if (!field.isRequired) throw invalid(`${path}.defaultValue`, 'belongs to required fields only');
  if (type === 'MEMBER_REF' || type === 'RECORD_REF')
    throw invalid(`${path}.defaultValue`, 'cannot be a reference');
  return { ...field, defaultValue: checkRecordValue(`${path}.defaultValue`, field, defaultValue) };
}

/**
 * Checks options: ENUM needs some, LIST may have some, other types have none.
 *
 * @throws AppError VALIDATION_FAILED (400)
 */
export function checkOptions(path: string, type: ObjectFieldType, given: readonly string[]): string[] {
  const options = given.map((option) => checkText(path, option, OPTION_LENGTH_MAX));
  if (type !== 'ENUM' && type !== 'LIST') {
    if (options.length > 0) throw invalid(path, 'belong to ENUM and LIST fields only');
    return [];
  }
  if ((type === 'ENUM' && options.length < 1) || options.length > OPTIONS_MAX)
    throw invalid(path, from1To(OPTIONS_MAX, 'values'));
  if (new Set(options).size !== options.length) throw invalid(path, distinct);
  if (options.some((option) => looksSensitive(option) || !option.isWellFormed()))
    throw invalid(path, 'must be plain text without card or social security numbers');
  return options;
}

function refuseSensitive(path: string, name: string): string {
  if (!asksForSensitive(name)) return name;
  throw invalid(path, 'asks for sensitive personal data, which is not kept here', 'SENSITIVE_FIELD');
}
