import { invalid } from '../base/errors.ts';

/** A field that a column of a file can fill. */
export interface ImportField<Name extends string = string> {
  readonly name: Name;
  /** Alternative column names; case, spaces and punctuation are ignored. */
  readonly aliases: readonly string[];
  readonly isRequired: boolean;
}

/** A field with a label and an example, for people who choose it for a column. */
export interface LabelledField<Name extends string = string> extends ImportField<Name> {
  readonly label: string;
  /** Example of a value. */
  readonly example: string;
}

/** Declares an optional field. */
export const field = <Name extends string>(name: Name, ...aliases: string[]): ImportField<Name> => ({
  name,
  aliases,
  isRequired: false,
});
/** Declares a required field. */
export const required = <Name extends string>(name: Name, ...aliases: string[]): ImportField<Name> => ({
  name,
  aliases,
  isRequired: true,
});
/** Declares a field with its label and an example. */
export const labelled = <Name extends string>(
  of: ImportField<Name>,
  label: string,
  example: string,
): LabelledField<Name> => ({ ...of, label, example });

/** Normalizes a name for comparison: only letters and digits, in lower case. */
export const normalized = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Field of each column, by the name of the column; null ignores the column. */
export type ColumnMapping = Readonly<Record<string, string | null>>;

/** Index of each field in a row's values. */
export const positionsIn = <Name extends string>(
  fields: readonly ImportField<Name>[],
): Readonly<Record<Name, number>> =>
  Object.fromEntries(fields.map(({ name }, index) => [name, index])) as Record<Name, number>;

/** The fields that a file can fill, found by any of their names. */
export interface FieldSet<Field extends ImportField = ImportField> {
  readonly fields: readonly Field[];
  /** Fields by normalized name. */
  readonly names: ReadonlyMap<string, string>;
  /** True if columns such as `custom.shirt_size` fill further fields. */
  readonly takesCustom: boolean;
}

export const fieldSet = <Field extends ImportField>(
  fields: readonly Field[],
  takesCustom = false,
): FieldSet<Field> => ({
  fields,
  names: new Map(
    fields.flatMap(({ name, aliases }) => [name, ...aliases].map((each) => [normalized(each), name])),
  ),
  takesCustom,
});

/** Prefix of the names of further fields: `custom.shirt_size`. */
export const CUSTOM = 'custom.';
const CUSTOM_HEADER = /^custom(?:[ _]?attributes?)?[.:]\s*(\w{1,63})$/i;
const HEADER_LENGTH_MAX = 200;
const MAPPING_SIZE_MAX = 200;

/** Returns the field of a column: by the mapping, otherwise by its own name; null if there is none. */
export function fieldOf(set: FieldSet, mapping: ColumnMapping, header: string): string | null {
  const name = header.trim();
  if (Object.hasOwn(mapping, name)) return mapping[name]!;
  const [, custom] = (set.takesCustom && CUSTOM_HEADER.exec(name)) || [];
  return custom ? CUSTOM + custom : (set.names.get(normalized(name)) ?? null);
}

/**
 * Validates a client's mapping of column names to fields.
 *
 * @throws AppError VALIDATION_FAILED (400)
 */
export function checkMapping(
  set: FieldSet,
  mapping: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const known: readonly string[] = set.fields.map(({ name }) => name);
  const entries = Object.entries(mapping);
  if (entries.length > MAPPING_SIZE_MAX)
    throw invalid('mapping', `must name at most ${MAPPING_SIZE_MAX} columns`);
  const checked = entries.map(([header, to]): [string, string] => {
    if (header.length > HEADER_LENGTH_MAX)
      throw invalid('mapping', `must name columns of at most ${HEADER_LENGTH_MAX} characters`);
    const target = typeof to === 'string' ? fieldOf(set, {}, to) : null;
    if (!target) {
      const more = set.takesCustom ? ' or custom.<key>' : '';
      throw invalid('mapping', `must map to ${known.join(', ')}${more}`);
    }
    return [header.trim(), target];
  });
  const twice = checked.find(([, to], index) => checked.findIndex((other) => other[1] === to) !== index);
  if (twice) throw invalid('mapping', `maps two columns to ${twice[1]}; a field takes one column`);
  return Object.fromEntries(checked);
}

/**
 * Validates a mapping for a file that has arrived; here null also ignores a column whose name is a field.
 *
 * @throws AppError VALIDATION_FAILED (400)
 */
export function checkRemapping(set: FieldSet, mapping: Readonly<Record<string, unknown>>): ColumnMapping {
  const [left, filled] = [new Map<string, null>(), new Map<string, unknown>()];
  for (const [header, to] of Object.entries(mapping)) {
    if (to === null) left.set(header.trim(), null);
    else filled.set(header, to);
  }
  if (left.size > MAPPING_SIZE_MAX) throw invalid('mapping', `must name at most ${MAPPING_SIZE_MAX} columns`);
  return { ...Object.fromEntries(left), ...checkMapping(set, Object.fromEntries(filled)) };
}
