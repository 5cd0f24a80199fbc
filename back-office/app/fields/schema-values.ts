import { instantOf, wallClockOf } from '../design/days.ts';
import type { useText } from '../messages/text.ts';
import { jsonRule } from './json-text.ts';
import { keyOfPath, type SchemaField } from './schema-fields.ts';
import { optionalNumber } from './typed-values.ts';

/** The values of the inputs, by the keys of the fields. */
export type TypedValues = Record<string, string | number | string[]>;

/**
 * Returns the initial values of the inputs.
 *
 * @param given - existing values. Default: those of the schema
 */
export function typedOf(
  fields: readonly SchemaField[],
  timeZone: string,
  given?: Readonly<Record<string, unknown>>,
): TypedValues {
  const typed: TypedValues = {};
  for (const field of fields) {
    const value = given ? given[field.name] : field.initial;
    if (field.kind === 'group') {
      const within = typeof value === 'object' && value !== null ? { ...value } : undefined;
      Object.assign(typed, typedOf(field.fields, timeZone, within ?? (given && {})));
    } else if (field.kind !== 'fixed') typed[field.key] = inputFor(field, value, timeZone);
  }
  return typed;
}

function inputFor(field: SchemaField, value: unknown, timeZone: string): string | number | string[] {
  if (field.kind === 'texts') return Array.isArray(value) ? value.map(String) : [];
  if (field.kind === 'flag' && isSwitch(field)) return value === true ? 'true' : 'false';
  if (value === undefined || value === null) return '';
  if (field.kind === 'number') return Number(value);
  if (field.kind === 'choice') return optionOf(value);
  if (field.kind === 'json') return JSON.stringify(value, null, 2);
  if (field.kind === 'text' && field.format === 'date-time') return wallClockOf(String(value), timeZone);
  return String(value);
}

/** The value of an option in its select. */
export const optionOf = (value: unknown): string => JSON.stringify(value);

/** Is a flag always on or off, never unset? */
export const isSwitch = ({ isRequired, initial }: Pick<SchemaField, 'isRequired' | 'initial'>): boolean =>
  isRequired || initial !== undefined;

/** Converts the typed values into the object. Optional empty values are absent. */
export function objectOf(
  fields: readonly SchemaField[],
  typed: TypedValues,
  timeZone: string,
): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = typedValue(field, typed, timeZone);
      if (value !== undefined) return [[field.name, value]];
      return field.isRequired && field.isNullable ? [[field.name, null]] : [];
    }),
  );
}

function typedValue(field: SchemaField, typed: TypedValues, timeZone: string): unknown {
  if (field.kind === 'fixed') return field.value;
  if (field.kind === 'group')
    return isPresent(field, typed) ? objectOf(field.fields, typed, timeZone) : undefined;
  const input = typed[field.key] ?? '';
  if (field.kind === 'texts')
    return Array.isArray(input) && (input.length > 0 || field.isRequired) ? input : undefined;
  if (field.kind === 'number') return optionalNumber(input as string) ?? undefined;
  const text = String(input);
  if (text.trim() === '') return undefined;
  if (field.kind === 'flag' || field.kind === 'choice' || field.kind === 'json') return JSON.parse(text);
  return field.format === 'date-time' ? instantOf(text, timeZone) : text;
}

/** Is a field present: a required group, or a field with a typed value? */
function isPresent(field: SchemaField, typed: TypedValues): boolean {
  if (field.kind !== 'group') return isTyped(field, typed);
  return field.isRequired || field.fields.some((each) => isTyped(each, typed));
}

function isTyped(field: SchemaField, typed: TypedValues): boolean {
  if (field.kind === 'fixed') return false;
  if (field.kind === 'group') return field.fields.some((each) => isTyped(each, typed));
  const input = typed[field.key] ?? '';
  if (field.kind === 'flag' && isSwitch(field)) return input === 'true';
  return Array.isArray(input) ? input.length > 0 : String(input).trim() !== '';
}

/** The error of each invalid field, by its key. */
export function faultsOf(
  fields: readonly SchemaField[],
  typed: TypedValues,
  t: ReturnType<typeof useText>,
): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap((field): [string, string][] => {
      if (field.kind === 'group')
        return isPresent(field, typed) ? Object.entries(faultsOf(field.fields, typed, t)) : [];
      const fault = faultOf(field, typed, t);
      return fault === null ? [] : [[field.key, fault]];
    }),
  );
}

function faultOf(field: SchemaField, typed: TypedValues, t: ReturnType<typeof useText>): string | null {
  if (!isTyped(field, typed)) {
    const mayBeEmpty =
      !field.isRequired || field.isNullable || field.kind === 'fixed' || field.kind === 'flag';
    return mayBeEmpty ? null : t('form.required');
  }
  const input = typed[field.key]!;
  if (field.kind === 'number') return numberFault(field, input as string, t);
  if (field.kind === 'text') return textFault(field, String(input), t);
  if (field.kind === 'json') return jsonRule(t)(String(input));
  if (field.kind !== 'texts' || !Array.isArray(input)) return null;
  const count = sizeFault(input.length, field.count);
  if (count) return t('schema.count', count);
  const length = input.map((each) => sizeFault(each.length, field.length)).find(Boolean);
  return length ? t('schema.lengthOfEach', length) : null;
}

type FieldOf<Kind> = Extract<SchemaField, { kind: Kind }>;

function numberFault(field: FieldOf<'number'>, input: string | number, t: ReturnType<typeof useText>) {
  const number = optionalNumber(input);
  if (number === null) return t('form.required');
  if (field.isWhole && !Number.isInteger(number)) return t('schema.whole');
  const fault = sizeFault(number, field.range);
  return fault && t('schema.range', fault);
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

function textFault(
  { format, length, pattern }: FieldOf<'text'>,
  text: string,
  t: ReturnType<typeof useText>,
) {
  if (format === 'uuid') return UUID.test(text) ? null : t('schema.uuid');
  // Native inputs hold a complete day or time, or nothing.
  if (format) return null;
  const fault = sizeFault(text.length, length);
  if (fault) return t('schema.length', fault);
  return pattern === null || matches(pattern, text) ? null : t('schema.pattern');
}

/** Does a text match a pattern? A pattern that this browser cannot parse is left to the server. */
function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}

/** Returns the bounds that a size violates, as placeholders of a sentence. */
function sizeFault(
  size: number,
  { least, most }: { readonly least: number | null; readonly most: number | null },
): { readonly bounds: string; readonly least: number; readonly most: number } | null {
  if ((least === null || size >= least) && (most === null || size <= most)) return null;
  const bound = least === null ? 'most' : 'least';
  const bounds = least !== null && most !== null ? 'both' : bound;
  return { bounds, least: least ?? 0, most: most ?? 0 };
}

/** An error that the server returned. */
export interface PathFault {
  /** Path of the argument, such as `arguments.budget.days`. */
  readonly path: string;
  readonly message: string;
}

/**
 * Messages of the server by the key of their field. A path without a field of its own belongs to the nearest
 * field above it.
 */
export function faultsByKey(
  fields: readonly SchemaField[],
  faults: readonly PathFault[],
): Readonly<Record<string, string>> {
  const keys = keysOf(fields);
  const found: Record<string, string> = {};
  for (const { path, message } of faults) {
    const whole = keyOfPath(path);
    const key = keys.filter((each) => whole === each || whole.startsWith(`${each}/`)).at(-1);
    if (key !== undefined) found[key] ??= message;
  }
  return found;
}

const keysOf = (fields: readonly SchemaField[]): string[] =>
  fields.flatMap((field) => (field.kind === 'group' ? [field.key, ...keysOf(field.fields)] : [field.key]));
